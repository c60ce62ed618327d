package dev.limiter.quarkus.deployment;

import io.quarkus.arc.deployment.AdditionalBeanBuildItem;
import io.quarkus.arc.deployment.AnnotationsTransformerBuildItem;
import io.quarkus.deployment.annotations.BuildProducer;
import io.quarkus.deployment.annotations.BuildStep;
import io.quarkus.deployment.builditem.CombinedIndexBuildItem;
import org.jboss.jandex.AnnotationInstance;
import org.jboss.jandex.AnnotationTransformation;
import org.jboss.jandex.DotName;

/** Has the tools of an MCP server tell a model when to come back, if the application has some. */
class ToolProcessor {
    private static final DotName TOOL = DotName.createSimple("io.quarkiverse.mcp.server.Tool");
    private static final String INTERCEPTOR = "dev.limiter.quarkus.ToolInterceptor";
    private static final DotName BINDING = DotName.createSimple("dev.limiter.quarkus.ToolCalls");

    @BuildStep
    void tools(
            CombinedIndexBuildItem index,
            BuildProducer<AdditionalBeanBuildItem> beans,
            BuildProducer<AnnotationsTransformerBuildItem> transformers) {
        if (index.getIndex().getAnnotations(TOOL).isEmpty()) {
            return;
        }
        beans.produce(AdditionalBeanBuildItem.unremovableOf(INTERCEPTOR));
        transformers.produce(new AnnotationsTransformerBuildItem(AnnotationTransformation.forMethods()
                .whenAnyMatch(TOOL)
                .transform(
                        method -> method.add(AnnotationInstance.builder(BINDING).build()))));
    }
}
