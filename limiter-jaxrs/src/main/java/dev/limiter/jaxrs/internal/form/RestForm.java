package dev.limiter.jaxrs.internal.form;

import jakarta.ws.rs.container.ContainerRequestContext;
import jakarta.ws.rs.core.HttpHeaders;
import jakarta.ws.rs.core.MediaType;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.SequenceInputStream;
import java.io.UncheckedIOException;
import java.nio.charset.Charset;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/**
 * The form of a request to Jakarta REST, read before the method reads it, from the place where
 * the method will find it. That is the body, or the parameters of the servlet container if the
 * body is empty. Jersey then takes these for the form, with the fields of the query.
 *
 * @param context the request
 * @param entity whether its method may take a body of another type for a form
 * @param parameters of the servlet container; empty without one
 */
public record RestForm(ContainerRequestContext context, FormEntity entity, Supplier<Map<String, String[]>> parameters) {
    /** The property with the stream that replaces a body that was read. */
    public static final String BODY = "dev.limiter.form.body";

    private static final String FIELDS = "dev.limiter.form";

    /**
     * The value of a field; null when there is none.
     *
     * @throws UnreadableFormException if the method could see another value
     */
    public String value(String name) {
        Object known = context.getProperty(FIELDS);
        if (known instanceof UnreadableFormException unreadable) {
            throw unreadable;
        }
        FormFields fields = known instanceof FormFields read ? read : readOnce();
        if (fields == FormFields.NONE && mayBeTakenForForm() && hasBody()) {
            throw FormFields.unsupportedType();
        }
        return fields.value(name, inQuery().getOrDefault(name, List.of()));
    }

    /** Computed for each limit: only limits after matching know the method. */
    private boolean mayBeTakenForForm() {
        return entity == FormEntity.TAKEN || entity == FormEntity.UNKNOWN && type() == null;
    }

    /**
     * Whether there is a body. An announced body may be gone: other code may have read it, and
     * may show it to the method. A byte that is read to find out is put back.
     */
    private boolean hasBody() {
        if (announcedBytes() > 0) {
            return true;
        }
        try {
            InputStream body = context.getEntityStream();
            byte[] first = body.readNBytes(1);
            if (first.length > 0) {
                context.setEntityStream(new SequenceInputStream(new ByteArrayInputStream(first), body));
            }
            return first.length > 0;
        } catch (IOException gone) {
            throw new UncheckedIOException("the client's body cannot be read", gone);
        }
    }

    private FormFields readOnce() {
        try {
            FormFields fields = read();
            context.setProperty(FIELDS, fields);
            return fields;
        } catch (UnreadableFormException unreadable) {
            context.setProperty(FIELDS, unreadable);
            throw unreadable;
        }
    }

    /** Reads the form. If it can be refused without its body, the body is not read. */
    private FormFields read() {
        MediaType type = type();
        List<String> sent = context.getHeaders().getOrDefault(HttpHeaders.CONTENT_TYPE, List.of());
        if (!FormFields.isForm(type, sent)) {
            return FormFields.NONE;
        }
        Charset charset = FormFields.charset(type);
        requireNoCoding();
        long announced = announcedBytes();
        if (announced > UnreadableFormException.MOST_BYTES) {
            throw UnreadableFormException.tooLarge();
        }
        byte[] body = body(charset);
        if (body.length > UnreadableFormException.MOST_BYTES) {
            throw UnreadableFormException.tooLarge();
        }
        return body.length > 0 ? FormFields.parse(body, charset) : ofContainer(announced);
    }

    /**
     * The type of the body; null for none, and for one that the server cannot read. Servers
     * throw different exceptions then, and show no form to the method.
     */
    private MediaType type() {
        try {
            return context.getMediaType();
        } catch (RuntimeException malformed) {
            return null;
        }
    }

    /**
     * Refuses a compressed body: a reader interceptor of the service may decode it, after all
     * limits.
     */
    private void requireNoCoding() {
        String coding = context.getHeaderString(HttpHeaders.CONTENT_ENCODING);
        if (coding != null && !coding.isBlank() && !coding.strip().equalsIgnoreCase("identity")) {
            throw UnreadableFormException.unsupported(
                    "A limit of this request reads the form, which must have no Content-Encoding.");
        }
    }

    /**
     * The length that the client announced; 0 if it did not, or if the container has let a
     * malformed length pass.
     */
    private long announcedBytes() {
        String length = context.getHeaderString(HttpHeaders.CONTENT_LENGTH);
        try {
            return length == null ? 0 : Long.parseLong(length.strip());
        } catch (NumberFormatException strange) {
            return 0;
        }
    }

    /**
     * The whole body, or its beginning with one byte more than is permitted. It is put back, so
     * that the method finds it.
     */
    private byte[] body(Charset charset) {
        try {
            InputStream body = context.getEntityStream();
            byte[] beginning = body.readNBytes(UnreadableFormException.MOST_BYTES + 1);
            if (beginning.length > 0) {
                ReplayableBody whole = new ReplayableBody(beginning, body, charset);
                context.setEntityStream(whole);
                context.setProperty(BODY, whole);
            }
            return beginning;
        } catch (IOException gone) {
            throw new UncheckedIOException("the client's form cannot be read", gone);
        }
    }

    /**
     * The fields from the servlet container. If the body is gone and not in the parameters,
     * other code read it, and may show it to the method.
     */
    private FormFields ofContainer(long announced) {
        Map<String, String[]> read = parameters.get();
        long values = read.values().stream().mapToLong(each -> each.length).sum();
        long ofQuery = inQuery().values().stream().mapToLong(List::size).sum();
        if (announced > 0 && values <= ofQuery) {
            throw UnreadableFormException.malformed("The form was read before a limit of this request could read it.");
        }
        return FormFields.of(read);
    }

    private Map<String, List<String>> inQuery() {
        return context.getUriInfo().getQueryParameters();
    }
}
