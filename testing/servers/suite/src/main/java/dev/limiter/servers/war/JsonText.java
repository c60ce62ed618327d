package dev.limiter.servers.war;

import jakarta.json.Json;
import jakarta.json.JsonValue;

/** Apart, since not every server has JSON. */
final class JsonText {
    private JsonText() {}

    static Object of(String text) {
        return text.equals("null") ? JsonValue.NULL : Json.createValue(text);
    }
}
