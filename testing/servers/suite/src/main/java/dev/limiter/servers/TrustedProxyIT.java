package dev.limiter.servers;

import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.util.Map;
import java.util.stream.Collectors;
import org.eclipse.microprofile.jwt.JsonWebToken;
import org.jboss.arquillian.container.test.api.Deployment;
import org.jboss.shrinkwrap.api.spec.WebArchive;

/** An application behind a proxy: every address of this machine is trusted. */
class TrustedProxyIT extends SharedWar implements ExemptAddresses, KeyExpressions, Security {
    private static final Charged CHARGED = new Charged("security");

    TrustedProxyIT() {
        super(CHARGED);
    }

    @Deployment(testable = false)
    static WebArchive deploy() throws SocketException {
        WebArchive war = Wars.of(
                "security",
                Map.of("limiter.trusted-proxies", addressesOfThisMachine(), "limiter.exempt-addresses", EXEMPT),
                "AnswersResource",
                "ExpressionsResource",
                "Gate",
                "GateResource",
                "HostileHeaderFilter",
                "HostileHeaderFilter$WithKey",
                "JsonResource",
                "JsonText",
                "KeysResource",
                "LogResource",
                "LogResource$Captured",
                "Reached",
                "ReachingResource",
                "SecretsResource",
                "Servlets",
                "Servlets$Answering",
                "Servlets$Once",
                "SettingsResource",
                "SignInFilter",
                "SignInFilter$1",
                "TenantKey",
                "Token",
                "Visitor");
        return Wars.addLibraryOf(war, JsonWebToken.class);
    }

    /** All addresses of this machine: the server sees the tests at one of them. */
    private static String addressesOfThisMachine() throws SocketException {
        return NetworkInterface.networkInterfaces()
                .flatMap(NetworkInterface::inetAddresses)
                .map(InetAddress::getHostAddress)
                .collect(Collectors.joining(","));
    }
}
