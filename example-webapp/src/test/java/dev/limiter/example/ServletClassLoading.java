package dev.limiter.example;

import org.eclipse.jetty.ee10.webapp.WebAppContext;
import org.jboss.arquillian.container.jetty.embedded_12_ee10.WebAppContextProcessor;
import org.jboss.arquillian.core.spi.LoadableExtension;
import org.jboss.shrinkwrap.api.Archive;

/**
 * Makes the Jetty that Arquillian drives load classes as the servlet specification has it, from
 * the WAR first; its own setting for that cannot be written in arquillian.xml. And a WAR that
 * does not start is an error, not a silent 503.
 */
public final class ServletClassLoading implements LoadableExtension {

    /** For Arquillian. */
    public ServletClassLoading() {}

    @Override
    public void register(ExtensionBuilder builder) {
        builder.service(WebAppContextProcessor.class, WarFirst.class);
    }

    /** Changes the context before it starts. */
    public static final class WarFirst implements WebAppContextProcessor {

        /** For Arquillian. */
        public WarFirst() {}

        @Override
        public void process(WebAppContext application, Archive<?> war) {
            application.setParentLoaderPriority(false);
            application.setThrowUnavailableOnStartupException(true);
        }
    }
}
