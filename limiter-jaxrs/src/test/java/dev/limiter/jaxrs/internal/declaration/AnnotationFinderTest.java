package dev.limiter.jaxrs.internal.declaration;

import static dev.limiter.Algorithm.GCRA;
import static org.assertj.core.api.Assertions.assertThat;

import dev.limiter.RateLimitExempt;
import dev.limiter.RateLimited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.reflect.Method;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Limits are found where Jakarta REST finds its own annotations. */
class AnnotationFinderTest {

    interface Contract {
        @RateLimited(name = "interface", key = "{ip}", algorithm = GCRA, limit = 1, window = "1s")
        void get();

        @RateLimited(name = "interface", key = "{ip}", algorithm = GCRA, limit = 1, window = "1s")
        void put();
    }

    @RateLimited(name = "class", key = "{ip}", algorithm = GCRA, limit = 1, window = "1s")
    static class Base implements Contract {
        @Override
        @RateLimited(name = "superclass", key = "{ip}", algorithm = GCRA, limit = 1, window = "1s")
        public void get() {}

        @Override
        public void put() {}
    }

    static class Derived extends Base {
        @Override
        public void get() {}

        @Override
        public void put() {}
    }

    @RateLimited(name = "own", key = "{ip}", algorithm = GCRA, limit = 1, window = "1s")
    static class Own extends Base {
        @Override
        @RateLimited(name = "own method", key = "{ip}", algorithm = GCRA, limit = 1, window = "1s")
        public void get() {}
    }

    @Test
    void theMethodThenTheSuperclassThenTheInterface() {
        assertThat(ofMethod(Own.class, "get")).containsExactly("own method");
        assertThat(ofMethod(Derived.class, "get")).containsExactly("superclass");
        assertThat(ofMethod(Derived.class, "put")).containsExactly("interface");
    }

    @Test
    void theClassThenTheSuperclassThenTheInterface() {
        assertThat(names(AnnotationFinder.on(Own.class))).containsExactly("own");
        assertThat(names(AnnotationFinder.on(Derived.class))).containsExactly("class");
        assertThat(names(AnnotationFinder.on(OfInterface.class))).containsExactly("type of interface");
    }

    @RateLimited(name = "type of interface", key = "{ip}", algorithm = GCRA, limit = 1, window = "1s")
    interface Typed {}

    interface Further extends Typed {}

    static class OfInterface implements Further {}

    interface Generic<T> {
        @RateLimited(name = "generic", key = "{ip}", algorithm = GCRA, limit = 1, window = "1s")
        void post(T body);
    }

    static class OfText implements Generic<String> {
        @Override
        public void post(String body) {}

        public void post(Integer other) {}
    }

    /** The compiler's bridge carries no limit of its own, and an overload none at all. */
    @Test
    void aTypeParameterIsNoOtherMethod() throws NoSuchMethodException {
        Method post = OfText.class.getMethod("post", String.class);
        assertThat(names(AnnotationFinder.on(OfText.class, post))).containsExactly("generic");
        assertThat(names(AnnotationFinder.on(OfText.class, OfText.class.getMethod("post", Integer.class))))
                .isEmpty();
        assertThat(ResourceMethods.overridden(OfText.class, post))
                .noneMatch(Method::isBridge)
                .hasSize(2);
    }

    interface Bounded<K extends Comparable<K>, V> extends Generic<V[]> {
        @RateLimited(name = "bounded", key = "{ip}", algorithm = GCRA, limit = 1, window = "1s")
        void put(K key, List<V> values);
    }

    abstract static class Middle<V> implements Bounded<String, V> {}

    static class Far extends Middle<Integer> {
        @Override
        public void put(String key, List<Integer> values) {}

        @Override
        public void post(Integer[] body) {}
    }

    @Test
    void typeParametersAreFollowedThroughAllThatLiesBetween() {
        assertThat(ofMethod(Far.class, "put")).containsExactly("bounded");
        assertThat(names(AnnotationFinder.on(
                        Far.class,
                        Stream.of(Far.class.getDeclaredMethods())
                                .filter(method -> method.getName().equals("post") && !method.isBridge())
                                .findFirst()
                                .orElseThrow())))
                .containsExactly("generic");
    }

    @RateLimited(name = "inner", key = "{ip}", algorithm = GCRA, limit = 1, window = "1s")
    @Retention(RetentionPolicy.RUNTIME)
    @interface Inner {}

    @Inner
    @RateLimited(name = "outer", key = "{ip}", algorithm = GCRA, limit = 1, window = "1s")
    @Retention(RetentionPolicy.RUNTIME)
    @interface Outer {}

    @Chicken
    @RateLimited(name = "egg", key = "{ip}", algorithm = GCRA, limit = 1, window = "1s")
    @Retention(RetentionPolicy.RUNTIME)
    @interface Egg {}

    @Egg
    @Retention(RetentionPolicy.RUNTIME)
    @interface Chicken {}

    @Myself
    @RateLimited(name = "myself", key = "{ip}", algorithm = GCRA, limit = 1, window = "1s")
    @Retention(RetentionPolicy.RUNTIME)
    @interface Myself {}

    static class Composed {
        @Outer
        @RateLimited(name = "direct", key = "{ip}", algorithm = GCRA, limit = 1, window = "1s")
        public void nested() {}

        @Outer
        @Inner
        public void twice() {}

        @Chicken
        public void cyclic() {}

        @Myself
        public void ofItself() {}

        @RateLimitExempt("a")
        @NoB
        public void exempt() {}
    }

    @RateLimitExempt("b")
    @Retention(RetentionPolicy.RUNTIME)
    @interface NoB {}

    @Test
    void anAnnotationStandsForAllTheLimitsItCarriesAtAnyDepthAndOnce() {
        assertThat(ofMethod(Composed.class, "nested")).containsExactly("direct", "outer @Outer", "inner @Inner");
        assertThat(ofMethod(Composed.class, "twice")).containsExactlyInAnyOrder("outer @Outer", "inner @Inner");
    }

    @Test
    void annotationsThatCarryEachOtherEnd() {
        assertThat(ofMethod(Composed.class, "cyclic")).containsExactly("egg @Egg");
        assertThat(ofMethod(Composed.class, "ofItself")).containsExactly("myself @Myself");
    }

    static class Posting {
        public void post(String text) {}
    }

    /** Only this class makes the method of its super class that of the interface. */
    static class Beside extends Posting implements Generic<String> {}

    @Test
    void anInterfaceBesideTheClassOfTheMethodCounts() throws NoSuchMethodException {
        assertThat(names(AnnotationFinder.on(Beside.class, Posting.class.getMethod("post", String.class))))
                .containsExactly("generic");
    }

    @Test
    void exemptionsAddUp() {
        assertThat(AnnotationFinder.on(Composed.class, method(Composed.class, "exempt"))
                        .exemptions())
                .flatExtracting(exempt -> List.of(exempt.value()))
                .containsExactly("a", "b");
    }

    private static List<String> ofMethod(Class<?> type, String name) {
        return names(AnnotationFinder.on(type, method(type, name)));
    }

    private static Method method(Class<?> type, String name) {
        return Stream.of(type.getMethods())
                .filter(method -> method.getName().equals(name) && !method.isBridge())
                .findFirst()
                .orElseThrow();
    }

    private static List<String> names(AnnotationFinder.Written written) {
        return written.limits().stream()
                .map(found -> (found.limited().name() + ' ' + found.via()).strip())
                .toList();
    }
}
