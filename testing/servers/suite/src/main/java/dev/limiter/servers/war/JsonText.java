package dev.limiter.servers.war;

import jakarta.json.Json;

/** Apart, since not every server has JSON. */
final class JsonText {
    private JsonText() {}

    static Object of(String text) {
        return Json.createValue(text);
    }
}
