package dev.limiter.example;

import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.properties.HasName.Predicates.nameMatching;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import dev.limiter.RateLimited;

/** The directions that are never reversed, and the things that have one owner. */
@AnalyzeClasses(packages = "dev.limiter", importOptions = ImportOption.DoNotIncludeTests.class)
class DirectionsTest {

    @ArchTest
    static final ArchRule theApiDependsOnTheJdkAlone = classes()
            .that()
            .resideInAnyPackage("dev.limiter", "dev.limiter.calendar", "dev.limiter.spi", "dev.limiter.internal..")
            .should()
            .onlyDependOnClassesThat()
            .resideInAnyPackage(
                    "java..", "dev.limiter", "dev.limiter.calendar", "dev.limiter.spi", "dev.limiter.internal..");

    @ArchTest
    static final ArchRule calendarKnowsTheJdkOnly = classes()
            .that()
            .resideInAnyPackage("dev.limiter.calendar", "dev.limiter.internal.calendar")
            .should()
            .onlyDependOnClassesThat()
            .resideInAnyPackage("java..", "dev.limiter.calendar", "dev.limiter.internal.calendar");

    @ArchTest
    static final ArchRule theRestModuleKnowsNoStore = noClasses()
            .that()
            .resideInAnyPackage("dev.limiter.jaxrs..", "dev.limiter.outbound..")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("redis..", "dev.limiter.redis..", "dev.limiter.local..");

    @ArchTest
    static final ArchRule theStoresKnowNoRestAndNoServlets = noClasses()
            .that()
            .resideInAnyPackage("dev.limiter.redis..", "dev.limiter.local..")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("jakarta..", "dev.limiter.jaxrs..", "dev.limiter.outbound..");

    @ArchTest
    static final ArchRule theServerSideKnowsNoCallsToPartners = noClasses()
            .that()
            .resideInAPackage("dev.limiter.jaxrs..")
            .should()
            .dependOnClassesThat()
            .resideInAPackage("dev.limiter.outbound..");

    @ArchTest
    static final ArchRule theCoreKnowsNoQueues = noClasses()
            .that()
            .resideOutsideOfPackages("dev.limiter.queue..", "dev.limiter.example..")
            .should()
            .dependOnClassesThat()
            .resideInAPackage("dev.limiter.queue..");

    @ArchTest
    static final ArchRule theCoreKnowsNoOperations = noClasses()
            .that()
            .resideOutsideOfPackages("dev.limiter.operations..", "dev.limiter.example..")
            .should()
            .dependOnClassesThat()
            .resideInAPackage("dev.limiter.operations..");

    @ArchTest
    static final ArchRule queuesKnowTheApiAlone = classes()
            .that()
            .resideInAPackage("dev.limiter.queue..")
            .should()
            .onlyDependOnClassesThat()
            .resideInAnyPackage(
                    "java..",
                    "jakarta.enterprise..",
                    "dev.limiter",
                    "dev.limiter.spi",
                    "dev.limiter.internal.settings",
                    "dev.limiter.internal.store",
                    "dev.limiter.queue..");

    @ArchTest
    static final ArchRule internalsOfTheApiAreUsedByTheLibraryAlone = noClasses()
            .that()
            .resideInAPackage("dev.limiter.example..")
            .should()
            .dependOnClassesThat()
            .resideInAPackage("dev.limiter.internal..");

    @ArchTest
    static final ArchRule internalsOfRedisAreUsedByRedisAlone = noClasses()
            .that()
            .resideOutsideOfPackage("dev.limiter.redis..")
            .should()
            .dependOnClassesThat()
            .resideInAPackage("dev.limiter.redis.internal..");

    @ArchTest
    static final ArchRule internalsOfTheMemoryAreUsedByTheMemoryAlone = noClasses()
            .that()
            .resideOutsideOfPackages("dev.limiter.local..", "dev.limiter.redis..")
            .should()
            .dependOnClassesThat()
            .resideInAPackage("dev.limiter.local.internal..");

    @ArchTest
    static final ArchRule redisUsesTheFallbackOfTheMemoryAlone = noClasses()
            .that()
            .resideInAPackage("dev.limiter.redis..")
            .should()
            .dependOnClassesThat(resideInAPackage("dev.limiter.local.internal..")
                    .and(not(nameMatching(".*\\.FallbackRateLimiter"))));

    @ArchTest
    static final ArchRule internalsOfRestAreUsedByRestAndPartnersAlone = noClasses()
            .that()
            .resideOutsideOfPackages("dev.limiter.jaxrs..", "dev.limiter.outbound..", "dev.limiter.operations..")
            .should()
            .dependOnClassesThat()
            .resideInAPackage("dev.limiter.jaxrs.internal..");

    @ArchTest
    static final ArchRule partnersUseThreeInternalsOfRest = noClasses()
            .that()
            .resideInAPackage("dev.limiter.outbound..")
            .should()
            .dependOnClassesThat(resideInAPackage("dev.limiter.jaxrs.internal..")
                    .and(not(nameMatching(".*\\.(ExtensionAccess|ExtensionPolicy|StoreFailureLog)"))));

    @ArchTest
    static final ArchRule internalPackagesOfRestAreFreeOfCycles = packagesAreFreeOfCycles("jaxrs");

    @ArchTest
    static final ArchRule internalPackagesOfRedisAreFreeOfCycles = packagesAreFreeOfCycles("redis");

    @ArchTest
    static final ArchRule internalPackagesOfTheMemoryAreFreeOfCycles = packagesAreFreeOfCycles("local");

    private static ArchRule packagesAreFreeOfCycles(String module) {
        return slices().matching("dev.limiter." + module + ".internal.(*)..")
                .should()
                .beFreeOfCycles();
    }

    /**
     * A filter gets its collaborators by constructor: only what connects it with the server
     * takes them from there.
     */
    @ArchTest
    static final ArchRule onlyBootstrapAsksForCollaborators = noClasses()
            .that()
            .resideOutsideOfPackages("dev.limiter.jaxrs.internal.bootstrap")
            .and()
            .haveNameNotMatching(".*\\.(ServletInitializer|ServletRateLimitFeature|ServletLimits)(\\$.*)?")
            .should()
            .dependOnClassesThat()
            .haveSimpleName("ApplicationRuntime");

    /**
     * Key expressions call public methods of public classes. A public adapter would give them the
     * server's request.
     */
    @ArchTest
    static final ArchRule expressionsDoNotReachTheRequestOfTheServer = classes()
            .that()
            .implement("dev.limiter.jaxrs.LimitedRequest")
            .should()
            .notBePublic();

    @ArchTest
    static final ArchRule servletTypesStayInTheirOwnPackage = noClasses()
            .that()
            .resideInAPackage("dev.limiter.jaxrs..")
            .and()
            .resideOutsideOfPackage("dev.limiter.jaxrs.internal.servlet")
            .and()
            .haveNameNotMatching(".*\\.(ServletLimits|Platform)(\\$.*)?")
            .should()
            .dependOnClassesThat(resideInAPackage("jakarta.servlet.."));

    @ArchTest
    static final ArchRule micrometerIsInOnePlace = noClasses()
            .that()
            .haveNameNotMatching(".*\\.MicrometerMetrics(\\$.*)?")
            .should()
            .dependOnClassesThat(resideInAPackage("io.micrometer.."));

    @ArchTest
    static final ArchRule microProfileHealthIsInOnePlace = noClasses()
            .that()
            .haveNameNotMatching(".*\\.StoreHealth(\\$.*)?")
            .should()
            .dependOnClassesThat(resideInAPackage("org.eclipse.microprofile.health.."));

    @ArchTest
    static final ArchRule theAnnotationIsReadInOnePlace = noClasses()
            .that()
            .resideInAPackage("dev.limiter.jaxrs..")
            .and()
            .resideOutsideOfPackage("dev.limiter.jaxrs.internal.declaration")
            .and()
            .haveNameNotMatching(".*\\.(LimiterExtension|ServletInitializer)")
            .should()
            .dependOnClassesThat()
            .areAssignableTo(RateLimited.class);

    @ArchTest
    static final ArchRule requestsDoNotReflect = noClasses()
            .that()
            .resideInAnyPackage(
                    "dev.limiter.jaxrs.internal.request",
                    "dev.limiter.jaxrs.internal.policy",
                    "dev.limiter.jaxrs.internal.response",
                    "dev.limiter.jaxrs.internal.key")
            .and()
            .haveSimpleNameNotStartingWith("El")
            .should()
            .dependOnClassesThat()
            .haveNameMatching("java\\.lang\\.reflect\\.(?!Method).*");
}
