package dev.limiter.jaxrs.internal.request;

import static org.assertj.core.api.Assertions.assertThat;

import dev.limiter.jaxrs.internal.form.StatedMethod;
import jakarta.ws.rs.container.ContainerRequestContext;

class RestRequestTest {
    @StatedMethod.Each
    void headIsItsGetAndUnknownMethodsAreOne(String sent, String verb) {
        assertThat(new RestRequest(StatedMethod.request(ContainerRequestContext.class, sent), null, null, null)
                        .method())
                .isEqualTo(verb);
    }
}
