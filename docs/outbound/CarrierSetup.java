import dev.limiter.RateLimiter;
import dev.limiter.outbound.RateLimitClientFeature;
import dev.limiter.jaxrs.ServletLimits;
import jakarta.servlet.*;
import jakarta.servlet.annotation.WebListener;
import jakarta.ws.rs.client.*;

@WebListener
public class CarrierSetup implements ServletContextListener {
    @Override
    public void contextInitialized(ServletContextEvent event) {
        ServletContext application = event.getServletContext();
        RateLimiter limiter = ServletLimits.of(application).limiter();
        Client client = ClientBuilder.newClient().register(RateLimitClientFeature.of("carrier").using(limiter));
        application.setAttribute("carrier", client);
    }
}
