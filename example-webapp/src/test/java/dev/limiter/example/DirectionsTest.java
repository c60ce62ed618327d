package dev.limiter.example;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import dev.limiter.RateLimited;

/** The directions that are never reversed, and the things that have one owner. */
@AnalyzeClasses(packages = "dev.limiter", importOptions = ImportOption.DoNotIncludeTests.class)
class DirectionsTest {

    @ArchTest
    static final ArchRule theApiLeansOnTheJdkAlone = classes()
            .that()
            .resideInAnyPackage("dev.limiter", "dev.limiter.spi..")
            .should()
            .onlyDependOnClassesThat()
            .resideInAnyPackage("java..", "dev.limiter", "dev.limiter.spi..");

    @ArchTest
    static final ArchRule theRestModuleKnowsNoStore = noClasses()
            .that()
            .resideInAPackage("dev.limiter.jaxrs..")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("redis..", "dev.limiter.redis..", "dev.limiter.local..");

    @ArchTest
    static final ArchRule theStoresKnowNoRestAndNoServlets = noClasses()
            .that()
            .resideInAnyPackage("dev.limiter.redis..", "dev.limiter.local..")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("jakarta..", "dev.limiter.jaxrs..");

    @ArchTest
    static final ArchRule servletTypesStayInTheirOwnClasses = noClasses()
            .that()
            .resideInAPackage("dev.limiter.jaxrs..")
            .and()
            .haveNameNotMatching(".*\\.(Servlet|LimiterFilter|Surroundings)[^.]*")
            .should()
            .dependOnClassesThat(resideInAPackage("jakarta.servlet.."));

    @ArchTest
    static final ArchRule micrometerIsInOnePlace = noClasses()
            .that()
            .haveNameNotMatching("dev\\.limiter\\.jaxrs\\.Meters(\\$.*)?")
            .should()
            .dependOnClassesThat(resideInAPackage("io.micrometer.."));

    @ArchTest
    static final ArchRule microProfileHealthIsInOnePlace = noClasses()
            .that()
            .haveNameNotMatching("dev\\.limiter\\.jaxrs\\.StoreHealth(\\$.*)?")
            .should()
            .dependOnClassesThat(resideInAPackage("org.eclipse.microprofile.health.."));

    @ArchTest
    static final ArchRule theAnnotationIsReadInOnePlace = noClasses()
            .that()
            .resideInAPackage("dev.limiter.jaxrs..")
            .and()
            .haveNameNotMatching(".*\\.(LimitReader|LimitAnnotations(\\$.*)?|Tiers|LimiterExtension|ServletDeployment)")
            .should()
            .dependOnClassesThat()
            .areAssignableTo(RateLimited.class);

    @ArchTest
    static final ArchRule onlyDeploymentReflects = noClasses()
            .that()
            .haveSimpleNameStartingWith("RateLimitFilter")
            .or()
            .haveSimpleNameStartingWith("KeyExpression")
            .or()
            .haveSimpleName("Plan")
            .should()
            .dependOnClassesThat()
            .haveNameMatching("java\\.lang\\.reflect\\.(?!Method).*");
}
