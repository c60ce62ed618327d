package dev.limiter.jaxrs.internal.servlet;

import static org.assertj.core.api.Assertions.assertThat;

import dev.limiter.jaxrs.internal.form.StatedMethod;
import jakarta.servlet.http.HttpServletRequest;

class ServletRequestAdapterTest {
    @StatedMethod.Each
    void headIsItsGetAndUnknownMethodsAreOne(String sent, String verb) {
        assertThat(new ServletRequestAdapter(StatedMethod.request(HttpServletRequest.class, sent), "", null).method())
                .isEqualTo(verb);
    }
}
