/**
 * What Prometheus reads (text format 0.0.4), of counters, gauges and histograms. Label values are a type of their own at
 * each metric, so that a text of a server's does not compile as one.
 */
export interface Metric {
  readonly lines: () => readonly string[];
}

type Labels<Names extends string> = Readonly<Record<Names, string>>;

abstract class Family<L extends Labels<string>, Value> implements Metric {
  readonly #name: string;
  readonly #help: string;
  readonly #labels: readonly (keyof L & string)[];
  readonly #values = new Map<string, Value>();

  constructor(name: string, help: string, labels: readonly (keyof L & string)[]) {
    this.#name = name;
    this.#help = help;
    this.#labels = labels;
  }

  protected abstract readonly type: "counter" | "gauge" | "histogram";
  protected abstract samples(name: string, labels: string, value: Value): readonly string[];

  protected valueOf(labels: L, first: () => Value): Value {
    const key = this.keyOf(labels);
    const found = this.#values.get(key) ?? first();
    if (!this.#values.has(key)) this.#values.set(key, found);
    return found;
  }

  protected put(labels: L, value: Value): void {
    this.#values.set(this.keyOf(labels), value);
  }

  protected keyOf(labels: L): string {
    return this.#labels.map((label) => `${label}="${escaped(labels[label] ?? "")}"`).join(",");
  }

  lines(): readonly string[] {
    const name = this.#name;
    const samples = [...this.#values].flatMap(([labels, value]) => this.samples(name, labels, value));
    return [`# HELP ${name} ${this.#help}`, `# TYPE ${name} ${this.type}`, ...samples];
  }
}

export class Counter<L extends Labels<string>> extends Family<L, { count: number }> {
  protected override readonly type = "counter";

  add(labels: L, by = 1): void {
    this.valueOf(labels, zero).count += by;
  }

  protected override samples(name: string, labels: string, { count }: { count: number }): readonly string[] {
    return [sample(name, labels, count)];
  }
}

export class Gauge<L extends Labels<string>> extends Family<L, { count: number }> {
  protected override readonly type = "gauge";

  add(labels: L, by: number): void {
    this.valueOf(labels, zero).count += by;
  }

  set(labels: L, value: number): void {
    this.put(labels, { count: value });
  }

  protected override samples(name: string, labels: string, { count }: { count: number }): readonly string[] {
    return [sample(name, labels, count)];
  }
}

/** A gauge or a counter that is read when somebody asks. */
export function readMetric(name: string, type: "gauge" | "counter", help: string, read: () => number): Metric {
  return { lines: () => [`# HELP ${name} ${help}`, `# TYPE ${name} ${type}`, sample(name, "", read())] };
}

interface Observed {
  readonly counts: number[];
  sum: number;
  count: number;
}

export class Histogram<L extends Labels<string>> extends Family<L, Observed> {
  protected override readonly type = "histogram";
  readonly #bounds: readonly number[];

  /** @param bounds upper ones, ascending */
  constructor(name: string, help: string, labels: readonly (keyof L & string)[], bounds: readonly number[]) {
    super(name, help, labels);
    this.#bounds = bounds;
  }

  observe(labels: L, value: number): void {
    const observed = this.valueOf(labels, () => ({ counts: this.#bounds.map(() => 0), sum: 0, count: 0 }));
    const bucket = this.#bounds.findIndex((bound) => value <= bound);
    if (bucket !== -1) observed.counts[bucket] = (observed.counts[bucket] ?? 0) + 1;
    observed.sum += value;
    observed.count++;
  }

  protected override samples(name: string, labels: string, { counts, sum, count }: Observed): readonly string[] {
    const prefix = labels === "" ? "" : `${labels},`;
    let below = 0;
    const buckets = this.#bounds.map((bound, index) => {
      below += counts[index] ?? 0;
      return sample(`${name}_bucket`, `${prefix}le="${bound}"`, below);
    });
    return [
      ...buckets,
      sample(`${name}_bucket`, `${prefix}le="+Inf"`, count),
      sample(`${name}_sum`, labels, sum),
      sample(`${name}_count`, labels, count),
    ];
  }
}

function zero(): { count: number } {
  return { count: 0 };
}

function sample(name: string, labels: string, value: number): string {
  return `${name}${labels === "" ? "" : `{${labels}}`} ${value}`;
}

function escaped(value: string): string {
  if (!/[\\"\n]/.test(value)) return value; // as almost every one is
  return value.replaceAll("\\", "\\\\").replaceAll('"', '\\"').replaceAll("\n", "\\n");
}
