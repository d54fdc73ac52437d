import { parentPort } from "node:worker_threads";
import { proveOffer } from "./prove.ts";
import type { Errand } from "./prove-apart.ts";

parentPort?.on("message", ({ offer, options }: Errand) => parentPort?.postMessage(proveOffer(offer, options)));
