import { parentPort } from "node:worker_threads";
import { plantOffer } from "./plant.ts";
import { proveOffer } from "./prove.ts";
import type { Errand } from "./prove-apart.ts";

parentPort?.on("message", (errand: Errand) => parentPort?.postMessage(reportOf(errand)));

function reportOf(errand: Errand) {
  switch (errand.arm) {
    case "move":
      return proveOffer(errand.offer, errand.options);
    case "plant":
      return plantOffer(errand.offer, errand.options);
  }
}
