package shop.quarkus;

import dev.limiter.jaxrs.DeployedLimits;
import dev.limiter.jaxrs.Endpoint;
import jakarta.enterprise.inject.spi.CDI;
import org.eclipse.microprofile.openapi.OASFactory;
import org.eclipse.microprofile.openapi.OASFilter;
import org.eclipse.microprofile.openapi.models.OpenAPI;
import org.eclipse.microprofile.openapi.models.Operation;
import org.eclipse.microprofile.openapi.models.PathItem;
import org.eclipse.microprofile.openapi.models.headers.Header;
import org.eclipse.microprofile.openapi.models.media.Schema;
import org.eclipse.microprofile.openapi.models.responses.APIResponse;

/** Documents the 429 and the 503 of each endpoint that has a limit. */
public class RateLimitResponses implements OASFilter {
    @Override
    public void filterOpenAPI(OpenAPI document) {
        for (Endpoint endpoint : CDI.current().select(DeployedLimits.class).get().endpoints()) {
            PathItem path = document.getPaths().getPathItem(endpoint.path().replaceAll("\\s*:[^}]*", ""));
            Operation operation = path == null || endpoint.limits().isEmpty()
                    ? null
                    : path.getOperations().get(PathItem.HttpMethod.valueOf(endpoint.method()));
            if (operation == null) {
                continue;
            }
            operation.getResponses().addAPIResponse("429", refusal("Too many requests"));
            operation.getResponses().addAPIResponse("503", refusal("The limits cannot be checked"));
        }
    }

    private static APIResponse refusal(String description) {
        Header retryAfter = OASFactory.createHeader()
                .description("Seconds until a request can succeed")
                .schema(OASFactory.createSchema().addType(Schema.SchemaType.INTEGER));
        return OASFactory.createAPIResponse().description(description).addHeader("Retry-After", retryAfter);
    }
}
