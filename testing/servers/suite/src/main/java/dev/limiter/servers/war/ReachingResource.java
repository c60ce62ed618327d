package dev.limiter.servers.war;

import dev.limiter.Algorithm;
import dev.limiter.RateLimited;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;

/**
 * Expressions that reach for a class: well-formed, so that they are found out only when a
 * request comes.
 */
@Path("reaching")
public class ReachingResource {

    @GET
    @Path("method")
    @RateLimited(
            name = "reach-method",
            key = "#{request[1 < 2 ? 'getClass' : '']().forName('dev.limiter.servers.war.Reached')}",
            algorithm = Algorithm.SLIDING_LOG,
            limit = 10,
            window = "1h")
    public String method() {
        return "reached";
    }

    @GET
    @Path("text")
    @RateLimited(
            name = "reach-text",
            key = "#{''.getClass().forName('dev.limiter.servers.war.Reached').getName()}",
            algorithm = Algorithm.SLIDING_LOG,
            limit = 10,
            window = "1h")
    public String text() {
        return "reached";
    }

    @GET
    @Path("index")
    @RateLimited(
            name = "reach-index",
            key = "#{request[1 < 2 ? 'class' : ''].name}",
            algorithm = Algorithm.SLIDING_LOG,
            limit = 10,
            window = "1h")
    public String index() {
        return "reached";
    }

    @GET
    @Path("bean")
    @RateLimited(
            name = "reach-bean",
            key = "#{visitor['class'].classLoader.loadClass('dev.limiter.servers.war.Reached').name}",
            algorithm = Algorithm.SLIDING_LOG,
            limit = 10,
            window = "1h")
    public String bean() {
        return "reached";
    }

    @GET
    @Path("principal")
    @RateLimited(
            name = "reach-principal",
            key = "#{user.getClass().getClassLoader()}",
            algorithm = Algorithm.SLIDING_LOG,
            limit = 10,
            window = "1h")
    public String principal() {
        return "reached";
    }

    @GET
    @Path("lambda")
    @RateLimited(
            name = "reach-lambda",
            key = "#{(x -> x.getClass().getName())(request)}",
            algorithm = Algorithm.SLIDING_LOG,
            limit = 10,
            window = "1h")
    public String lambda() {
        return "reached";
    }

    @GET
    @Path("named")
    @RateLimited(
            name = "reach-named",
            key = "#{Reached.name()}",
            algorithm = Algorithm.SLIDING_LOG,
            limit = 10,
            window = "1h")
    public String named() {
        return "reached";
    }

    @GET
    @Path("imported")
    @RateLimited(
            name = "reach-imported",
            key = "#{Runtime.getRuntime().exec('true')}",
            algorithm = Algorithm.SLIDING_LOG,
            limit = 10,
            window = "1h")
    public String imported() {
        return "reached";
    }

    @GET
    @Path("qualified")
    @RateLimited(
            name = "reach-qualified",
            key = "#{dev.limiter.servers.war.Reached.name()}",
            algorithm = Algorithm.SLIDING_LOG,
            limit = 10,
            window = "1h")
    public String qualified() {
        return "reached";
    }

    @GET
    @Path("constructed")
    @RateLimited(
            name = "reach-constructed",
            key = "#{(x -> Boolean(x))(true)}",
            algorithm = Algorithm.SLIDING_LOG,
            limit = 10,
            window = "1h")
    public String constructed() {
        return "reached";
    }

    @GET
    @Path("invoked")
    @RateLimited(
            name = "reach-invoked",
            key = "#{request[1 < 2 ? 'header' : ''].invoke('X-Tenant')}",
            algorithm = Algorithm.SLIDING_LOG,
            limit = 10,
            window = "1h")
    public String invoked() {
        return "reached";
    }

    @GET
    @Path("written")
    @RateLimited(
            name = "reach-written",
            key = "#{visitor.group = 'written'}",
            algorithm = Algorithm.SLIDING_LOG,
            limit = 10,
            window = "1h")
    public String written() {
        return "reached";
    }

    @GET
    @Path("throwing")
    @RateLimited(
            name = "reach-throwing",
            key = "#{visitor.failing}",
            algorithm = Algorithm.SLIDING_LOG,
            limit = 10,
            window = "1h")
    public String throwing() {
        return "reached";
    }
}
