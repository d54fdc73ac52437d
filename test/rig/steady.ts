import { userInfo } from "node:os";
import { resolve } from "node:path";

const root = resolve(import.meta.dirname, "../..");

/** What differs from machine to machine and from day to day. */
export function steady(line: string, home: string): string {
  return (
    line
      .replaceAll(process.execPath, "<node>")
      .replaceAll(home, "<home>")
      .replaceAll(root, "<root>")
      .replace(/[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9:.-]+Z/g, "<time>")
      // A backup has a folder by the path of its file.
      .replace(/(backups\/[^/"]+\.)[0-9a-f]{12}/, "$1<hash>")
      .replaceAll(` by ${userInfo().username}`, " by <user>")
      // An offer holds the launch, and that the paths and the Node of a machine.
      .replace(/(offer |that is )cs1:sha256:[0-9a-f]{64}/, "$1<digest>")
      // Keys are random, and so is what they are known by.
      .replace(/csk_[0-9A-Za-z]{57}/, "<key>")
      .replace(/^[0-9A-Za-z]{8}(?= {2}\S+ {2}.*\(added )/, "<id>")
      .replace(/(revoked .* of \S+ \()[0-9A-Za-z, ]+(?=; entry)/, "$1<ids>")
      .replace(/(\(|key-added |key-revoked )[0-9A-Za-z]{8}(?=[,;]? \(|[,;] entry| by )/, "$1<id>")
      // An entry's id holds the path of its file.
      .replace(/--spawn [0-9a-f]{16}/, "--spawn <id>")
      .replace(/(countersign\.lock" |--digest )sha256:[0-9a-f]{64}/, "$1<digest>")
      .replace(/head cs1:sha256:[0-9a-f]{64}/, "head <hash>")
  );
}
