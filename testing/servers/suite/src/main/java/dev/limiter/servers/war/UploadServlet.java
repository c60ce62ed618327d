package dev.limiter.servers.war;

import jakarta.servlet.ServletException;
import jakarta.servlet.annotation.MultipartConfig;
import jakarta.servlet.annotation.WebServlet;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.io.Writer;

/** Takes uploads in each way in which a servlet may read them. */
@WebServlet("/uploading/*")
@MultipartConfig
@Uploaded
public class UploadServlet extends HttpServlet {
    private static final long serialVersionUID = 1L;

    @Override
    protected void doPost(HttpServletRequest request, HttpServletResponse response)
            throws IOException, ServletException {
        long length = switch (request.getPathInfo()) {
            case "/stream" -> request.getInputStream().readAllBytes().length;
            case "/form" -> request.getParameterMap().size();
            case "/reader" -> request.getReader().transferTo(Writer.nullWriter());
            default -> request.getParts().size();
        };
        response.getWriter().print(length);
    }
}
