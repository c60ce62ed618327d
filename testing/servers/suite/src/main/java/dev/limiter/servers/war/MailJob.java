package dev.limiter.servers.war;

import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.context.Initialized;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Inject;

/** Calls a limited bean before any request. */
@ApplicationScoped
public class MailJob {

    @Inject
    private LimitedMail mail;

    void starts(@Observes @Initialized(ApplicationScoped.class) Object application) {
        mail.start();
    }
}
