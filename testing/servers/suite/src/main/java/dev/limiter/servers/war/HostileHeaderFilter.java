package dev.limiter.servers.war;

import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.annotation.WebFilter;
import jakarta.servlet.http.HttpFilter;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletRequestWrapper;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.Collections;
import java.util.Enumeration;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/**
 * Gives an API key that no server lets through: {@code Test-Key} percent-encoded, and repeated
 * {@code Test-Times}.
 */
@WebFilter(urlPatterns = "/*", asyncSupported = true)
public class HostileHeaderFilter extends HttpFilter {
    private static final long serialVersionUID = 1L;

    @Override
    protected void doFilter(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
            throws IOException, ServletException {
        String encoded = request.getHeader("Test-Key");
        if (encoded == null) {
            chain.doFilter(request, response);
            return;
        }
        int times = Math.max(1, request.getIntHeader("Test-Times"));
        chain.doFilter(
                new WithKey(
                        request,
                        URLDecoder.decode(encoded, StandardCharsets.UTF_8).repeat(times)),
                response);
    }

    private static final class WithKey extends HttpServletRequestWrapper {
        private static final String NAME = "X-Api-Key";

        private final String key;

        WithKey(HttpServletRequest request, String key) {
            super(request);
            this.key = key;
        }

        @Override
        public String getHeader(String name) {
            return name.equalsIgnoreCase(NAME) ? key : super.getHeader(name);
        }

        @Override
        public Enumeration<String> getHeaders(String name) {
            return name.equalsIgnoreCase(NAME) ? Collections.enumeration(List.of(key)) : super.getHeaders(name);
        }

        @Override
        public Enumeration<String> getHeaderNames() {
            Set<String> names = new TreeSet<>(Collections.list(super.getHeaderNames()));
            names.add(NAME);
            return Collections.enumeration(names);
        }
    }
}
