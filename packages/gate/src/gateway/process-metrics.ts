import { monitorEventLoopDelay } from "node:perf_hooks";
import { type Metric, readMetric } from "./prometheus.ts";

/** By the names that Prometheus' own clients use. */
export function processMetrics(): readonly Metric[] {
  const delay = monitorEventLoopDelay({ resolution: 20 });
  delay.enable();
  const began = Date.now() / 1_000 - process.uptime();
  const seconds = () => {
    const { user, system } = process.cpuUsage();
    return (user + system) / 1e6;
  };
  return [
    readMetric("process_cpu_seconds_total", "counter", "CPU time that the process took.", seconds),
    readMetric("process_resident_memory_bytes", "gauge", "Resident memory.", () => process.memoryUsage.rss()),
    readMetric("process_start_time_seconds", "gauge", "When it was started, since 1970.", () => began),
    readMetric("nodejs_heap_size_used_bytes", "gauge", "Heap in use.", () => process.memoryUsage().heapUsed),
    readMetric("nodejs_eventloop_lag_p99_seconds", "gauge", "How late timers are since it was last asked.", () => {
      const late = delay.percentile(99) / 1e9;
      delay.reset();
      return late;
    }),
  ];
}
