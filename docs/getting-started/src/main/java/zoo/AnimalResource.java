package zoo;

import dev.limiter.Algorithm;
import dev.limiter.RateLimited;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import java.util.List;

@Path("animals")
public class AnimalResource {

    @GET
    @RateLimited(name = "animals", key = "{ip}", algorithm = Algorithm.GCRA, limit = 10, window = "10m")
    public String all() {
        return String.join(", ", List.of("lion", "tiger", "elephant")) + "\n";
    }
}
