package dev.limiter;

import static org.assertj.core.api.Assertions.assertThat;

import dev.limiter.testkit.property.Dice;
import dev.limiter.testkit.property.Property;
import dev.limiter.testkit.property.Texts;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("proof")
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

    @Test
    void differentPartsNeverGiveEqualKeys() {
        Property.<Pair>forAll(dice -> {
                    List<String> first = dice.list(0, 4, Texts.any(255));
                    return new Pair(first, dice.chance(50) ? cutElsewhere(first, dice) : dice.list(0, 4, Texts.any(2)));
                })
                .tries(4_000)
                .check(pair ->
                        assertThat(key(pair.first).equals(key(pair.second))).isEqualTo(pair.first.equals(pair.second)));
    }

    /** The order makes a tree of a hash table whose keys have equal hash codes. */
    @Test
    void theOrderIsOneOfAllKeysAndAgreesWithEquals() {
        assertThat(PartitionKey.of("user", "Aa").hashCode())
                .isEqualTo(PartitionKey.of("user", "BB").hashCode());
        Property.<List<String>>forAll(dice -> dice.list(3, 3, Texts.any(3)))
                .tries(4_000)
                .check(values -> {
                    PartitionKey a = key(values.subList(0, 1));
                    PartitionKey b = key(values.subList(1, 2));
                    PartitionKey c = key(values.subList(2, 3));
                    assertThat(a.compareTo(b) == 0).isEqualTo(a.equals(b));
                    assertThat(Integer.signum(a.compareTo(b))).isEqualTo(-Integer.signum(b.compareTo(a)));
                    assertThat(a.compareTo(b) <= 0 && b.compareTo(c) <= 0 && a.compareTo(c) > 0)
                            .isFalse();
                });
    }

    @Test
    void theSpreadIsNeverNegative() {
        Property.forAll(Texts.any(2 * PartitionKey.MAX_VALUE_LENGTH))
                .tries(4_000)
                .check(value ->
                        assertThat(PartitionKey.of("user", value).stableHash()).isNotNegative());
    }

    /** Values of two keys. */
    record Pair(List<String> first, List<String> second) {}

    /** The same characters in the same order, in as many values. */
    private static List<String> cutElsewhere(List<String> values, Dice dice) {
        String left = String.join("", values);
        List<String> cut = new ArrayList<>();
        for (int i = 1; i <= values.size(); i++) {
            int length = i == values.size() ? left.length() : (int) dice.number(0, left.length());
            cut.add(left.substring(0, length));
            left = left.substring(length);
        }
        return cut;
    }

    private static PartitionKey key(List<String> values) {
        PartitionKey.Builder key = PartitionKey.builder();
        values.forEach(value -> key.add("part", value));
        return key.build();
    }

    @Test
    void valuesAreReadBackByName() {
        PartitionKey key = PartitionKey.builder()
                .add("user", "4:alice:")
                .add("header:X-Device~fold", "")
                .add("user", "bob")
                .build();
        assertThat(key.values()).isEqualTo(java.util.Map.of("user", "4:alice:", "header:X-Device~fold", ""));
        assertThat(PartitionKey.of("user", "x".repeat(2_000)).values().get("user"))
                .hasSize(PartitionKey.MAX_VALUE_LENGTH);
        assertThat(PartitionKey.builder().build().values()).isEmpty();
    }
}
