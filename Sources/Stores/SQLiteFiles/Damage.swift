package import Diagnostics
internal import GRDB

extension DatabaseFile {
  package func damage(isThorough: Bool) throws(RunFailure) -> [String] {
    let check = isThorough ? "integrity_check" : "quick_check"
    return try read { db in
      try String.fetchAll(db, sql: "PRAGMA \(check)(10)").filter { $0 != "ok" }
        .map { "\(path): \($0)" }
    }
  }
}
