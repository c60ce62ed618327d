package dev.limiter.servers;

import java.net.URL;
import org.jboss.arquillian.junit5.ArquillianExtension;
import org.jboss.arquillian.test.api.ArquillianResource;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * One WAR for several topics: a deployment costs seconds, and most topics need no settings that
 * others would not bear. A class declares the deployment, and implements its topics.
 */
@ExtendWith(ArquillianExtension.class)
abstract class SharedWar implements Topic {
    private final Charged charged;

    @ArquillianResource
    private URL server;

    SharedWar(Charged charged) {
        this.charged = charged;
    }

    @Override
    public final URL server() {
        return server;
    }

    @Override
    public final Charged charged() {
        return charged;
    }
}
