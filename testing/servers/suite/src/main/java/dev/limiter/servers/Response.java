package dev.limiter.servers;

import com.google.gson.Gson;
import com.google.gson.GsonBuilder;
import com.google.gson.ToNumberPolicy;
import com.google.gson.reflect.TypeToken;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.Map;

/** What an application has answered. */
record Response(HttpResponse<String> received) {
    private static final Gson GSON = new GsonBuilder()
            .setObjectToNumberStrategy(ToNumberPolicy.LONG_OR_DOUBLE)
            .create();
    private static final TypeToken<Map<String, Object>> OBJECT = new TypeToken<>() {};

    int statusCode() {
        return received.statusCode();
    }

    /** The fields of the header, by their names. */
    Map<String, List<String>> headers() {
        return received.headers().map();
    }

    /** The first field of that name; null without one. */
    String header(String name) {
        return received.headers().firstValue(name).orElse(null);
    }

    String contentType() {
        return header("Content-Type");
    }

    String asString() {
        return received.body();
    }

    /** The body, which is an object of JSON. */
    Map<String, Object> json() {
        return GSON.fromJson(received.body(), OBJECT);
    }

    /** A text of the object. */
    String text(String name) {
        return (String) json().get(name);
    }

    /** The policies that a rejection names. */
    List<Object> violatedPolicies() {
        return List.copyOf((List<?>) json().get("violated-policies"));
    }
}
