package dev.limiter.example.wars;

import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.MultivaluedMap;
import jakarta.ws.rs.ext.MessageBodyReader;
import jakarta.ws.rs.ext.Provider;
import java.io.IOException;
import java.io.InputStream;
import java.lang.annotation.Annotation;
import java.lang.reflect.Type;
import java.nio.charset.StandardCharsets;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** Reads the texts of a JSON object into a record, in their order: the WAR has no JSON library. */
@Provider
@Consumes(MediaType.APPLICATION_JSON)
public class RecordReader implements MessageBodyReader<Record> {
    private static final Pattern TEXT = Pattern.compile(":\\s*\"([^\"]*)\"");

    @Override
    public boolean isReadable(Class<?> type, Type genericType, Annotation[] annotations, MediaType mediaType) {
        return type.isRecord();
    }

    @Override
    public Record readFrom(
            Class<Record> type,
            Type genericType,
            Annotation[] annotations,
            MediaType mediaType,
            MultivaluedMap<String, String> headers,
            InputStream body)
            throws IOException {
        String json = new String(body.readAllBytes(), StandardCharsets.UTF_8);
        Object[] texts =
                TEXT.matcher(json).results().map(found -> found.group(1)).toArray();
        Class<?>[] types = Stream.of(texts).map(Object::getClass).toArray(Class<?>[]::new);
        try {
            return type.getDeclaredConstructor(types).newInstance(texts);
        } catch (ReflectiveOperationException wrong) {
            throw new IOException("no JSON of this record", wrong);
        }
    }
}
