package shop.dropwizard;

import com.codahale.metrics.MetricRegistry;
import io.micrometer.core.instrument.Clock;
import io.micrometer.core.instrument.dropwizard.DropwizardConfig;
import io.micrometer.core.instrument.dropwizard.DropwizardMeterRegistry;
import io.micrometer.core.instrument.util.HierarchicalNameMapper;

/** Writes meters of Micrometer, as the limiter has them, into the metrics of Dropwizard. */
class MetricsOfDropwizard extends DropwizardMeterRegistry {
    MetricsOfDropwizard(MetricRegistry metrics) {
        super(new Names(), metrics, HierarchicalNameMapper.DEFAULT, Clock.SYSTEM);
    }

    @Override
    protected Double nullGaugeValue() {
        return Double.NaN;
    }

    private static class Names implements DropwizardConfig {
        @Override
        public String prefix() {
            return "dropwizard";
        }

        @Override
        public String get(String key) {
            return null;
        }
    }
}
