package dev.limiter.jaxrs.internal.key;

import static org.assertj.core.api.Assertions.assertThat;

import jakarta.json.JsonValue;
import java.util.Set;
import org.eclipse.microprofile.jwt.JsonWebToken;
import org.junit.jupiter.api.Test;

/** Some servers tell claims as JSON. */
class JwtClaimsTest {

    private record Token(Object claim) implements JsonWebToken {
        @Override
        public String getName() {
            return "ann";
        }

        @Override
        public Set<String> getClaimNames() {
            return Set.of("tenant");
        }

        @Override
        @SuppressWarnings("unchecked")
        public <T> T getClaim(String name) {
            return (T) claim;
        }
    }

    @Test
    void aClaimThatIsNullIsMissing() {
        assertThat(JwtClaims.of(new Token(JsonValue.NULL), "tenant")).isNull();
        assertThat(JwtClaims.of(new Token(null), "tenant")).isNull();
        assertThat(JwtClaims.of(() -> "ann", "tenant")).isNull();
    }

    @Test
    void aClaimThatIsNoTextIsItsText() {
        assertThat(JwtClaims.of(new Token(JsonValue.FALSE), "tenant")).isEqualTo("false");
        assertThat(JwtClaims.of(new Token(7L), "tenant")).isEqualTo("7");
    }
}
