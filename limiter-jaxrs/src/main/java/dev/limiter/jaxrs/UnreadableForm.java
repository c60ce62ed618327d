package dev.limiter.jaxrs;

/**
 * A form that a limit counts and cannot read as the method will. The request is refused: to count it on something else would let
 * its sender choose another partition. A limit that runs as a shadow leaves it out.
 */
final class UnreadableForm extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private static final int BAD_REQUEST = 400;
    private static final int LENGTH_REQUIRED = 411;
    private static final int CONTENT_TOO_LARGE = 413;
    private static final int UNSUPPORTED_MEDIA_TYPE = 415;

    private final int status;
    private final String title;

    /** Without a stack: it tells of the client's request only. */
    private UnreadableForm(int status, String title, String detail) {
        super(detail, null, false, false);
        this.status = status;
        this.title = title;
    }

    /** Its content type, charset or content coding. */
    static UnreadableForm unsupported(String detail) {
        return new UnreadableForm(UNSUPPORTED_MEDIA_TYPE, "Unsupported media type", detail);
    }

    static UnreadableForm malformed(String detail) {
        return new UnreadableForm(BAD_REQUEST, "Bad request", detail);
    }

    static UnreadableForm tooLarge() {
        return new UnreadableForm(
                CONTENT_TOO_LARGE,
                "Content too large",
                "The form is larger than the " + FormFields.MOST_BYTES / 1024
                        + " KiB that a limit of this request reads.");
    }

    static UnreadableForm withoutLength() {
        return new UnreadableForm(
                LENGTH_REQUIRED,
                "Length required",
                "A limit of this request reads the form, which must say its Content-Length.");
    }

    int status() {
        return status;
    }

    Problem problem() {
        return Problem.refused(status, title, getMessage());
    }
}
