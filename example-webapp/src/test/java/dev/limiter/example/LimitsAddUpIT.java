package dev.limiter.example;

import static dev.limiter.example.Http.remaining;
import static io.restassured.RestAssured.given;
import static org.assertj.core.api.Assertions.assertThat;

import io.restassured.response.Response;
import io.restassured.specification.RequestSpecification;
import java.net.URL;
import org.jboss.arquillian.container.test.api.Deployment;
import org.jboss.arquillian.junit5.ArquillianExtension;
import org.jboss.arquillian.test.api.ArquillianResource;
import org.jboss.shrinkwrap.api.spec.WebArchive;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Limits of classes and methods together, exemptions, and every placeholder, in a WAR of their
 * own.
 */
@ExtendWith(ArquillianExtension.class)
class LimitsAddUpIT {

    @ArquillianResource
    private URL desk;

    @Deployment(testable = false)
    static WebArchive deploy() {
        SharedRedis.configure();
        return Wars.with(
                "limiter.application=desk",
                "desk",
                "DeskApplication",
                "DeskResource",
                "KeysResource",
                "TenantFilter",
                "ShopResource",
                "ShopResource$Shelf",
                "ShopResource$Broken");
    }

    @BeforeEach
    void emptyRedis() {
        SharedRedis.empty();
    }

    @Test
    void theEleventhRequestOfTenIsRejected() {
        for (int i = 9; i >= 0; i--) {
            Response admitted = get("desk/plain");
            assertThat(admitted.statusCode()).isEqualTo(200);
            assertThat(remaining(admitted, "desk")).isEqualTo(i);
        }
        Response eleventh = get("desk/plain");
        assertThat(eleventh.statusCode()).isEqualTo(429);
        assertThat(eleventh.header("RateLimit")).matches("\"desk\";r=0;t=3[56]\\d\\d");
        assertThat(Integer.parseInt(eleventh.header("Retry-After"))).isBetween(3_500, 3_600);
        assertThat(eleventh.contentType()).isEqualTo("application/problem+json");
        assertThat(eleventh.jsonPath().getList("violated-policies")).containsExactly("desk");
    }

    @Test
    void classAndMethodLimitsAddUpInOneCall() {
        Response first = get("desk/tight");
        assertThat(first.header("RateLimit-Policy"))
                .isEqualTo("\"desk\";q=10;w=3600, \"tight\";q=2;w=3600, \"seconds\";q=100;w=3600");
        assertThat(SharedRedis.decisions(() -> get("desk/tight").then().statusCode(200)))
                .isEqualTo(1);
        Response third = get("desk/tight");
        assertThat(third.statusCode()).isEqualTo(429);
        assertThat(third.jsonPath().getList("violated-policies")).containsExactly("tight");
        assertThat(remaining(third, "desk")).isEqualTo(8);
        assertThat(remaining(third, "seconds")).isEqualTo(98);
    }

    @Test
    void allMethodsOfAClassShareItsLimit() {
        assertThat(remaining(get("desk/plain"), "desk")).isEqualTo(9);
        assertThat(remaining(get("desk/tight"), "desk")).isEqualTo(8);
        assertThat(remaining(get("desk/plain"), "desk")).isEqualTo(7);
    }

    @Test
    void anExemptMethodIsNotCountedAndSaysNothing() {
        assertThat(SharedRedis.decisions(
                        () -> get("desk/exempt").then().statusCode(200).header("RateLimit", (String) null)))
                .isZero();
        assertThat(remaining(get("desk/plain"), "desk")).isEqualTo(9);
    }

    @Test
    void aClassLimitIsReplacedByExemptingItAndDeclaringAnother() {
        Response replaced = get("desk/replaced");
        assertThat(replaced.header("RateLimit-Policy")).isEqualTo("\"DeskResource.replaced\";q=1000;w=86400");
        assertThat(remaining(get("desk/plain"), "desk")).isEqualTo(9);
    }

    @Test
    void optionsCountsWhereAMethodAnswersIt() {
        assertThat(to().options("desk/plain").asString()).isEqualTo("options");
        assertThat(remaining(get("desk/plain"), "desk")).isEqualTo(8);
    }

    @Test
    void aResponseThatIsNotModifiedIsCountedAndCarriesNoFields() {
        Response unchanged = get("desk/unchanged");
        assertThat(unchanged.statusCode()).isEqualTo(304);
        assertThat(unchanged.header("RateLimit")).isNull();
        assertThat(remaining(get("desk/plain"), "desk")).isEqualTo(8);
    }

    @Test
    void headIsTheVerbGet() {
        assertThat(remaining(get("desk/verb"), "verb")).isEqualTo(9);
        assertThat(remaining(to().head("desk/verb"), "verb")).isEqualTo(8);
    }

    @Test
    void aForwardedRequestIsCountedOnceByEachPolicyOfBothMethods() {
        Response first = get("desk/forward");
        assertThat(first.asString()).isEqualTo("tight");
        assertThat(get("desk/forward").asString()).isEqualTo("tight");
        Response third = get("desk/forward");
        assertThat(third.statusCode())
                .as("the limit of 2 on the method that answers")
                .isEqualTo(429);
        assertThat(third.jsonPath().getList("violated-policies")).containsExactly("tight");
        assertThat(remaining(get("desk/plain"), "desk")).isEqualTo(6);
    }

    @Test
    void eachPlaceholderTellsItsPartitionsApart() {
        assertApart("path", get("keys/path/circus"), get("keys/path/ballet"), get("keys/path/circus"));
        assertApart("query", get("keys/query?q=1"), get("keys/query?q=2"), get("keys/query?q=1&q=2"));
        assertApart("header", with("X-Api-Key", "a"), with("X-Api-Key", "b"), with("X-Api-Key", "a"));
        assertApart("attribute", tenant("a"), tenant("b"), tenant("a"));
        assertApart("cookie", cookie("a"), cookie("b"), cookie("a"));
        assertApart("both", get("keys/both?a=x&b=yz"), get("keys/both?a=xy&b=z"), get("keys/both?a=x&b=yz"));
    }

    @Test
    void aMissingKeyCountsOnTheLiteralOrOnTheAddressAndNeverWithAValue() {
        assertThat(remaining(get("keys/header"), "KeysResource.header")).isEqualTo(9);
        assertThat(remaining(with("X-Api-Key", "literal"), "KeysResource.header"))
                .isEqualTo(9);
        assertThat(remaining(with("X-Api-Key", ""), "KeysResource.header")).isEqualTo(8);
        assertThat(remaining(get("keys/query"), "KeysResource.query")).isEqualTo(9);
        assertThat(remaining(get("keys/query?q=127.0.0.1"), "KeysResource.query"))
                .isEqualTo(9);
        assertThat(remaining(get("keys/query?q="), "KeysResource.query")).isEqualTo(8);
    }

    @Test
    void aForwardingHeaderIsNotBelievedWhileNoProxyIsTrusted() {
        for (int i = 9; i >= 0; i--) {
            Response response = to().header("X-Forwarded-For", "203.0.113." + i).get("keys/address");
            assertThat(remaining(response, "KeysResource.address")).isEqualTo(i);
        }
        assertThat(to().header("X-Forwarded-For", "198.51.100.7")
                        .get("keys/address")
                        .statusCode())
                .isEqualTo(429);
    }

    @Test
    void aSubResourceIsLimitedFromItsFirstRequestOn() {
        assertThat(remaining(get("shop/wood"), "shelf")).isEqualTo(9);
        assertThat(remaining(get("shop/iron"), "shelf")).isEqualTo(9);
        assertThat(remaining(get("shop/wood"), "shelf")).isEqualTo(8);
    }

    @Test
    void aWrongDeclarationThatOnlyARequestCanShowFailsThatRequest() {
        Response broken = get("shop/broken/wood");
        assertThat(broken.statusCode()).isEqualTo(500);
        assertThat(broken.asString()).doesNotContain("never");
    }

    private static void assertApart(String method, Response first, Response other, Response again) {
        String policy = "KeysResource." + method;
        assertThat(remaining(first, policy)).as(method).isEqualTo(9);
        assertThat(remaining(other, policy)).as(method).isEqualTo(9);
        assertThat(remaining(again, policy)).as(method).isEqualTo(8);
    }

    private Response with(String header, String value) {
        return to().header(header, value).get("keys/header");
    }

    private Response tenant(String name) {
        return to().header("X-Tenant", name).get("keys/attribute");
    }

    private Response cookie(String value) {
        return to().cookie("c", value).get("keys/cookie");
    }

    private Response get(String path) {
        return to().get(path);
    }

    private RequestSpecification to() {
        return given().baseUri(desk.toString());
    }
}
