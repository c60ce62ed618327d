package shop.dropwizard;

import com.fasterxml.jackson.annotation.JsonProperty;
import io.dropwizard.auth.AuthDynamicFeature;
import io.dropwizard.auth.AuthValueFactoryProvider;
import io.dropwizard.auth.PrincipalImpl;
import io.dropwizard.auth.basic.BasicCredentialAuthFilter;
import io.dropwizard.core.Application;
import io.dropwizard.core.Configuration;
import io.dropwizard.core.setup.Environment;
import io.dropwizard.jersey.setup.JerseyEnvironment;
import io.micrometer.core.instrument.Metrics;
import java.util.Map;
import java.util.Optional;

public class ShopService extends Application<ShopService.Settings> {

    public static class Settings extends Configuration {
        @JsonProperty
        public Map<String, Object> settings = Map.of();
    }

    public static void main(String[] arguments) throws Exception {
        new ShopService().run(arguments);
    }

    @Override
    public void run(Settings settings, Environment environment) {
        JerseyEnvironment jersey = environment.jersey();
        jersey.register(TicketResource.class);
        settings.settings.forEach(jersey::property); // the limiter reads them there
        Metrics.addRegistry(new MetricsOfDropwizard(environment.metrics()));
        jersey.register(new AuthDynamicFeature(new BasicCredentialAuthFilter.Builder<PrincipalImpl>()
                .setAuthenticator(given -> given.getPassword().equals("secret")
                        ? Optional.of(new PrincipalImpl(given.getUsername()))
                        : Optional.empty())
                .buildAuthFilter()));
        jersey.register(new AuthValueFactoryProvider.Binder<>(PrincipalImpl.class));
    }
}
