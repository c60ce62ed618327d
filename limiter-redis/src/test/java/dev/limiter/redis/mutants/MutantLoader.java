package dev.limiter.redis.mutants;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import javax.tools.FileObject;
import javax.tools.ForwardingJavaFileManager;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileManager;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.ToolProvider;

/**
 * The classes and scripts of a package and those below it once more, a few of them changed. If
 * the mutant changes another package, those of the whole project. The rest is shared with the
 * tests and stays compiled.
 */
final class MutantLoader extends ClassLoader {
    private final Map<String, byte[]> changed = new HashMap<>();

    private final String anew;

    MutantLoader(Mutant mutant, String ofSuite) throws IOException {
        super(MutantLoader.class.getClassLoader());
        for (Map.Entry<String, String> file : mutant.texts().entrySet()) {
            if (file.getKey().endsWith(".lua")) {
                changed.put(resource(file.getKey()), file.getValue().getBytes(StandardCharsets.UTF_8));
            } else {
                compile(file.getKey(), file.getValue());
            }
        }
        boolean within = changed.keySet().stream().allMatch(path -> path.startsWith(ofSuite.replace('.', '/')));
        anew = within ? ofSuite : "dev.limiter.";
    }

    /** Where a module ships a script. */
    private static String resource(String script) {
        return script.startsWith("lua/queue/")
                ? script.replace("lua/queue/", "dev/limiter/queue/lua/")
                : script.replace("lua/", "dev/limiter/redis/lua/");
    }

    @Override
    protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
        if (!name.startsWith(anew)) {
            return super.loadClass(name, resolve);
        }
        synchronized (getClassLoadingLock(name)) {
            Class<?> loaded = findLoadedClass(name);
            return loaded != null ? loaded : define(name);
        }
    }

    private Class<?> define(String name) throws ClassNotFoundException {
        try (InputStream in = getResourceAsStream(name.replace('.', '/') + ".class")) {
            if (in == null) {
                throw new ClassNotFoundException(name);
            }
            byte[] bytes = in.readAllBytes();
            return defineClass(name, bytes, 0, bytes.length);
        } catch (IOException unreadable) {
            throw new ClassNotFoundException(name, unreadable);
        }
    }

    @Override
    public InputStream getResourceAsStream(String name) {
        byte[] bytes = changed.get(name);
        return bytes != null ? new ByteArrayInputStream(bytes) : super.getResourceAsStream(name);
    }

    private void compile(String file, String text) throws IOException {
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        JavaFileObject source = new SimpleJavaFileObject(URI.create("mutant:///" + file), JavaFileObject.Kind.SOURCE) {
            @Override
            public CharSequence getCharContent(boolean ignoreEncodingErrors) {
                return text;
            }
        };
        try (JavaFileManager files = new Compiled(compiler.getStandardFileManager(null, null, null))) {
            List<String> options = List.of("-proc:none", "-classpath", System.getProperty("java.class.path"));
            if (!compiler.getTask(null, files, null, options, null, List.of(source))
                    .call()) {
                throw new IllegalStateException("the mutant of " + file + " does not compile");
            }
        }
    }

    /** Keeps what is compiled in memory. */
    private final class Compiled extends ForwardingJavaFileManager<JavaFileManager> {
        Compiled(JavaFileManager files) {
            super(files);
        }

        @Override
        public JavaFileObject getJavaFileForOutput(
                Location location, String className, JavaFileObject.Kind kind, FileObject sibling) {
            String name = className.replace('.', '/') + ".class";
            return new SimpleJavaFileObject(URI.create("mutant:///" + name), kind) {
                @Override
                public OutputStream openOutputStream() {
                    return new ByteArrayOutputStream() {
                        @Override
                        public void close() {
                            changed.put(name, toByteArray());
                        }
                    };
                }
            };
        }
    }
}
