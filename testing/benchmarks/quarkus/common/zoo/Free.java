package zoo;

import io.smallrye.mutiny.Uni;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;

/** Methods without limits. */
@Path("free")
public class Free {
    @GET
    public String get() {
        return "lion, tiger";
    }

    @GET
    @Path("uni")
    public Uni<String> uni() {
        return Uni.createFrom().item("lion, tiger");
    }
}
