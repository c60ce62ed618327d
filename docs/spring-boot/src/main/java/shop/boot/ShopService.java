package shop.boot;

import dev.limiter.jaxrs.RateLimitFeature;
import java.util.stream.Stream;
import org.glassfish.jersey.server.ResourceConfig;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.context.annotation.Bean;
import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.core.env.EnumerablePropertySource;
import org.springframework.security.config.Customizer;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.web.SecurityFilterChain;

@SpringBootApplication
public class ShopService {

    public static void main(String[] arguments) {
        SpringApplication.run(ShopService.class, arguments);
    }

    @Bean
    ResourceConfig jersey(ConfigurableEnvironment environment) {
        ResourceConfig jersey = new ResourceConfig(RateLimitFeature.class, TicketResource.class);
        environment.getPropertySources().stream()
                .flatMap(source -> source instanceof EnumerablePropertySource<?> listed
                        ? Stream.of(listed.getPropertyNames())
                        : Stream.empty())
                .filter(name -> name.startsWith("limiter."))
                .forEach(name -> jersey.property(name, environment.getProperty(name)));
        return jersey;
    }

    @Bean
    SecurityFilterChain security(HttpSecurity http) throws Exception {
        return http.authorizeHttpRequests(requests -> requests
                        .requestMatchers("/tickets", "/tickets/report", "/actuator/**").permitAll()
                        .anyRequest().authenticated())
                .httpBasic(Customizer.withDefaults())
                .csrf(csrf -> csrf.disable())
                .build();
    }
}
