package dev.limiter.operations;

import dev.limiter.RateLimitExempt;
import dev.limiter.StoreUnavailableException;
import dev.limiter.jaxrs.internal.bootstrap.Operations;
import dev.limiter.jaxrs.internal.platform.LogText;
import dev.limiter.operations.internal.ChangeRequest;
import dev.limiter.operations.internal.OperationsOfApplication;
import dev.limiter.operations.internal.Operator;
import dev.limiter.operations.internal.RefusedException;
import jakarta.ws.rs.DELETE;
import jakarta.ws.rs.DefaultValue;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.PUT;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.QueryParam;
import jakarta.ws.rs.core.Configuration;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.HttpHeaders;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import jakarta.ws.rs.core.Response.Status;
import jakarta.ws.rs.core.SecurityContext;
import jakarta.ws.rs.core.UriInfo;
import jakarta.ws.rs.ext.Providers;
import java.io.InputStream;
import java.security.Principal;
import java.util.function.Function;

/**
 * A resource with which operators see the limits of an application, and change them on all
 * instances without a deployment. {@code docs/incident.md} says when to use it.
 *
 * <pre>{@code
 * @Path("limits")
 * @RolesAllowed("operator")
 * public class Limits extends LimitsResource {}
 * }</pre>
 *
 * <p>Responses are JSON, made by what the server or the application has for it. A refused request
 * gets problem details with the rule that it breaks. Limits of the application do not count this
 * resource, except those that are decided before matching. If a subclass has limits of its own,
 * repeat {@link RateLimitExempt} on it.
 */
@RateLimitExempt
@Produces(MediaType.APPLICATION_JSON)
public abstract class LimitsResource {
    @Context
    private Configuration configuration;

    @Context
    private Providers providers;

    @Context
    private SecurityContext security;

    @Context
    private UriInfo uri;

    @Context
    private HttpHeaders headers;

    /** For subclasses. */
    protected LimitsResource() {}

    /** {@return each policy with its numbers, where they come from, and the state of the store} */
    @GET
    public Response limits() {
        return answer(Operator::all);
    }

    /**
     * Changes numbers of a policy on all instances, within a second.
     *
     * @param policy its name
     * @param body <code>{"limit": 5, "for": "PT30M", "because": "attack"}</code>; without
     *     {@code for} the change stays until it is taken back
     * @return the policy as it is in force then
     */
    @PUT
    @Path("policies/{policy}")
    public Response change(@PathParam("policy") String policy, InputStream body) {
        return answer(operator -> operator.change(policy, asked(body, false)));
    }

    /**
     * Takes a change back on all instances, within a second.
     *
     * @param policy its name
     * @return the policy as it is in force then
     */
    @DELETE
    @Path("policies/{policy}")
    public Response takeBack(@PathParam("policy") String policy) {
        return answer(operator -> operator.takeBack(policy));
    }

    /**
     * Tells what one caller has used, and writes nothing. The query names the caller as a request
     * would: {@code ?user=alice}.
     *
     * @param policy its name
     * @return limit, used, remaining, and when it is back
     */
    @GET
    @Path("callers/{policy}")
    public Response caller(@PathParam("policy") String policy) {
        return answer(operator -> operator.caller(policy, uri.getQueryParameters()));
    }

    /**
     * Gives one caller its own numbers on all instances, within a second. They win over those of
     * its tier and of its contract.
     *
     * @param policy its name
     * @param body <code>{"limit": 500, "for": "P1D", "because": "..."}</code>
     * @return what the caller has used
     */
    @PUT
    @Path("callers/{policy}")
    public Response changeCaller(@PathParam("policy") String policy, InputStream body) {
        return answer(operator -> operator.changeCaller(policy, uri.getQueryParameters(), asked(body, true)));
    }

    /**
     * Forgives one caller on all instances, within a second: its counts, its cached rejections and
     * its own numbers are gone.
     *
     * @param policy its name
     * @return what the caller has used, which is nothing
     */
    @DELETE
    @Path("callers/{policy}")
    public Response forgive(@PathParam("policy") String policy) {
        return answer(operator -> operator.forgive(policy, uri.getQueryParameters()));
    }

    /**
     * Tells what one caller has used in a period of the calendar, or in the one before: see
     * {@link dev.limiter.RateLimiter#usage}. The query names the caller.
     *
     * @param policy its name
     * @param period {@code present} or {@code previous}
     * @return used, and when the period ends or ended
     */
    @GET
    @Path("usage/{policy}")
    public Response usage(
            @PathParam("policy") String policy, @QueryParam("period") @DefaultValue("present") String period) {
        return answer(operator -> operator.usage(policy, uri.getQueryParameters(), period));
    }

    /**
     * {@return the callers that each policy has rejected most, summed over the instances, after a
     * second}
     */
    @GET
    @Path("rejected")
    public Response rejected() {
        return answer(Operator::rejected);
    }

    /** Refuses other types itself: for an annotation, a server answers with a page of its own. */
    private ChangeRequest asked(InputStream body, boolean ofCaller) {
        MediaType type = headers.getMediaType();
        if (type == null || !type.isCompatible(MediaType.APPLICATION_JSON_TYPE)) {
            throw new RefusedException(Status.UNSUPPORTED_MEDIA_TYPE, "The body must be application/json");
        }
        return ChangeRequest.of(body, providers, ofCaller);
    }

    private Response answer(Function<Operator, Object> work) {
        if (!(configuration.getProperty(Operations.class.getName()) instanceof OperationsOfApplication operations)) {
            throw new IllegalStateException("the application must register RateLimitFeature");
        }
        Principal user = security.getUserPrincipal();
        try {
            Object found = work.apply(operations.operator(user == null ? "" : LogText.of(user.getName())));
            return Response.ok(found, MediaType.APPLICATION_JSON_TYPE)
                    .header(HttpHeaders.CACHE_CONTROL, "no-store")
                    .build();
        } catch (RefusedException refused) {
            return refused.response(headers.getRequestHeader(HttpHeaders.ACCEPT));
        } catch (StoreUnavailableException away) {
            return new RefusedException(
                            Status.SERVICE_UNAVAILABLE,
                            "The store gave no answer: " + LogText.of(away.getMessage())
                                    + ". If this was a change, it may have been made")
                    .response(headers.getRequestHeader(HttpHeaders.ACCEPT));
        }
    }
}
