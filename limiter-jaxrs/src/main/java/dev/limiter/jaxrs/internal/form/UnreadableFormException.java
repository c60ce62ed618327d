package dev.limiter.jaxrs.internal.form;

/**
 * A form that a limit counts and cannot read as the method will. The request is refused: to
 * count it on another value would let its sender choose another partition. A shadow leaves the
 * form out.
 */
public final class UnreadableFormException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /** The longest form that a limit reads: its body is in memory before the decision. */
    public static final int MOST_BYTES = 64 * 1024;

    private static final int BAD_REQUEST = 400;
    private static final int LENGTH_REQUIRED = 411;
    private static final int CONTENT_TOO_LARGE = 413;
    private static final int UNSUPPORTED_MEDIA_TYPE = 415;

    private final int status;
    private final String title;

    /** Without a stack trace: the error is in the client's request. */
    private UnreadableFormException(int status, String title, String detail) {
        super(detail, null, false, false);
        this.status = status;
        this.title = title;
    }

    /** The content type, charset or content coding is not supported. */
    static UnreadableFormException unsupported(String detail) {
        return new UnreadableFormException(UNSUPPORTED_MEDIA_TYPE, "Unsupported Media Type", detail);
    }

    public static UnreadableFormException malformed(String detail) {
        return new UnreadableFormException(BAD_REQUEST, "Bad Request", detail);
    }

    public static UnreadableFormException tooLarge() {
        return new UnreadableFormException(
                CONTENT_TOO_LARGE,
                "Content Too Large",
                "The form is larger than the " + MOST_BYTES / 1024 + " KiB that a limit of this request reads.");
    }

    public static UnreadableFormException withoutLength() {
        return new UnreadableFormException(
                LENGTH_REQUIRED,
                "Length Required",
                "A limit of this request reads the form, which must say its Content-Length.");
    }

    public int status() {
        return status;
    }

    /** The status in words. */
    public String title() {
        return title;
    }
}
