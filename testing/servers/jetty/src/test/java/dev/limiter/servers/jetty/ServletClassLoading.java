package dev.limiter.servers.jetty;

import org.eclipse.jetty.ee10.webapp.MetaInfConfiguration;
import org.eclipse.jetty.ee10.webapp.WebAppContext;
import org.eclipse.jetty.util.ClassMatcher;
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

        /** What the tests bring for themselves; a WAR that lacks it must not find it there. */
        private static final ClassMatcher OF_THE_TESTS = new ClassMatcher(
                "dev.limiter.",
                "redis.clients.",
                "org.apache.commons.pool2.",
                "org.slf4j.",
                "org.eclipse.microprofile.");

        /**
         * The libraries whose classes Jetty scans for annotations: those with resources, filters
         * or servlets. The scan of all libraries is a tenth of each deployment. ZooIT of the
         * example deploys with Jetty's default.
         */
        private static final String SCANNED = ".*/limiter-[^/]*\\.jar$";

        /** For Arquillian. */
        public WarFirst() {}

        @Override
        public void process(WebAppContext application, Archive<?> war) {
            application.setParentLoaderPriority(false);
            application.addHiddenClassMatcher(OF_THE_TESTS);
            application.setAttribute(MetaInfConfiguration.WEBINF_JAR_PATTERN, SCANNED);
            application.setThrowUnavailableOnStartupException(true);
        }
    }
}
