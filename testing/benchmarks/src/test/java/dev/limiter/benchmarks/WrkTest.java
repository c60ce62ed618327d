package dev.limiter.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

final class WrkTest {

    @Test
    void readsWhatWrkPrints() {
        String text = """
                Running 2s test @ http://127.0.0.1:8080/plain
                  1 threads and 64 connections
                  Thread Stats   Avg      Stdev     Max   +/- Stdev
                    Latency     1.71ms    0.94ms  22.31ms   90.63%
                    Req/Sec    38.41k     2.33k   41.52k    76.19%
                  Latency Distribution
                     50%    1.59ms
                     75%    1.96ms
                     90%  845.00us
                     99%    1.02s
                  80253 requests in 2.10s, 10.64MB read
                  Non-2xx or 3xx responses: 12
                Requests/sec:  38204.09
                Transfer/sec:      5.06MB
                """;
        assertThat(Wrk.parse(text)).isEqualTo(new Wrk.Result(80_253, 12, 38_204.09, 1_590, 1_020_000));
    }
}
