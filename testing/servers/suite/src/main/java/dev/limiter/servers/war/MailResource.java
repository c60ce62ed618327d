package dev.limiter.servers.war;

import dev.limiter.Algorithm;
import dev.limiter.NotAdmittedException;
import dev.limiter.RateLimited;
import dev.limiter.jaxrs.DeployedLimits;
import jakarta.enterprise.context.RequestScoped;
import jakarta.inject.Inject;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;

/** Calls a bean whose methods have limits. */
@Path("mail")
@RequestScoped
public class MailResource {

    @Inject
    private LimitedMail mail;

    @Inject
    private DeployedLimits deployed;

    @GET
    @Path("unlimited/{to}")
    public String unlimited(@PathParam("to") String to) {
        return mail.send(to);
    }

    @GET
    @Path("limited/{to}")
    @RateLimited(name = "resource", key = "'all'", algorithm = Algorithm.SLIDING_LOG, limit = 5, window = "1h")
    public String limited(@PathParam("to") String to) {
        return mail.send(to);
    }

    @GET
    @Path("both")
    @RateLimited(name = "both", key = "'all'", algorithm = Algorithm.SLIDING_LOG, limit = 3, window = "1h")
    public String both() {
        mail.share();
        return "shared";
    }

    /** What a job sees on a thread without a request. */
    @GET
    @Path("job/{to}")
    public String job(@PathParam("to") String to) throws InterruptedException {
        StringBuilder seen = new StringBuilder();
        Thread job = new Thread(() -> {
            try {
                seen.append(mail.send(to));
            } catch (NotAdmittedException refused) {
                seen.append(refused.getMessage());
            }
        });
        job.setContextClassLoader(Thread.currentThread().getContextClassLoader());
        job.start();
        job.join();
        return seen.toString();
    }

    @GET
    @Path("policies")
    public String policies() {
        return String.join(" ", deployed.policyNames());
    }
}
