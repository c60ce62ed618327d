package dev.limiter.example;

import java.nio.file.Files;

/**
 * Two nodes of the zoo as it was built, on one Redis. The first class that asks deploys them, and
 * they end with the JVM.
 */
final class ZooNodes {
    static final String ONE;
    static final String TWO;

    static {
        SharedRedis.configure();
        try {
            OwnJetty jetty = new OwnJetty(Files.createTempDirectory("nodes"));
            ONE = jetty.url(jetty.deploy(Wars.zoo("one")));
            TWO = jetty.url(jetty.deploy(Wars.zoo("two")));
        } catch (Exception failed) {
            throw new ExceptionInInitializerError(failed);
        }
    }

    private ZooNodes() {}
}
