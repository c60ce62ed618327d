package dev.limiter;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;

class PartitionKeyTest {

    @Test
    void theNameOfAPartTellsEqualValuesApart() {
        assertThat(PartitionKey.of("user", "10.0.0.1")).isNotEqualTo(PartitionKey.of("ip", "10.0.0.1"));
    }

    @Test
    void separatorsInValuesDoNotMakeKeysCollide() {
        assertThat(key(List.of("a:b", "c"))).isNotEqualTo(key(List.of("a", "b:c")));
        assertThat(key(List.of("1:a1:b"))).isNotEqualTo(key(List.of("a", "b")));
    }

    @Test
    void aLongValueIsCutBeforeItCosts() {
        String long1 = "x".repeat(1 << 20);
        assertThat(PartitionKey.of("header:X", long1).text()).hasSizeLessThan(1_100);
    }

    @Test
    void noValueStandsInTheText() {
        assertThat(PartitionKey.of("user", "alice@example.org").toString()).doesNotContain("alice");
    }

    @Property
    void differentPartsNeverGiveEqualKeys(
            @ForAll @Size(max = 4) List<String> first, @ForAll @Size(max = 4) List<String> second) {
        assertThat(key(first).equals(key(second))).isEqualTo(first.equals(second));
    }

    @Property
    void theSpreadIsNeverNegative(@ForAll String value) {
        assertThat(PartitionKey.of("user", value).spread()).isNotNegative();
    }

    private static PartitionKey key(List<String> values) {
        PartitionKey.Builder key = PartitionKey.builder();
        values.forEach(value -> key.add("part", value));
        return key.build();
    }
}
