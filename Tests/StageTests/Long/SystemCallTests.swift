internal import Foundation
internal import TestSupport
internal import Testing

/// At every system call a stage may be killed, or the call may fail.
///
/// strace lets the Nth call of a kind fail, or kills the stage there, for N = 1, 2, 3… until the
/// stage completes. Large N are sampled, unless `PAIDLINE_EVERY_POINT=1`. A point is included only
/// if strace reports that the fault was injected.
@Suite(
  .enabled("make test-slow asks for the long tests") { LongRun.isAsked },
  .enabled("strace is not installed") { LongRun.has("strace") })
struct SystemCallTests {
  struct Case: Sendable, CustomTestStringConvertible {
    var stage: String
    var call: String
    var fault: String
    var run = IncrementalRun.second

    var testDescription: String { "\(stage), \(run.rawValue) run, \(call): \(fault)" }
  }

  /// The state of the databases before a stage.
  enum IncrementalRun: String {
    /// There is no database yet.
    case first
    /// The databases of the previous run exist.
    case second
  }

  private static let ingest: [Case] = [
    ("pwrite64", "signal=SIGKILL"), ("fdatasync", "signal=SIGKILL"),
    ("ftruncate", "signal=SIGKILL"), ("pwrite64", "error=ENOSPC"), ("pwrite64", "error=EIO"),
    ("fdatasync", "error=EIO"), ("pread64", "error=EIO"),
  ].map { Case(stage: "paidline-ingest", call: $0, fault: $1) }

  private static let reconstruct: [Case] = [
    ("pwrite64", "signal=SIGKILL"), ("fdatasync", "signal=SIGKILL"),
    ("ftruncate", "signal=SIGKILL"), ("pwrite64", "error=ENOSPC"), ("pwrite64", "error=EIO"),
    ("fdatasync", "error=EIO"), ("pread64", "error=EIO"),
  ].map { Case(stage: "paidline-reconstruct", call: $0, fault: $1) }

  private static let build: [Case] = [
    ("pwrite64", "signal=SIGKILL"), ("rename", "signal=SIGKILL"), ("unlink", "signal=SIGKILL"),
    ("fsync", "signal=SIGKILL"), ("pwrite64", "error=ENOSPC"), ("rename", "error=EIO"),
    ("fsync", "error=EIO"), ("unlink", "error=EIO"),
  ].map { Case(stage: "paidline-reconstruct", call: $0, fault: $1, run: .first) }

  private static let creation: [Case] = [
    ("pwrite64", "signal=SIGKILL"), ("fdatasync", "signal=SIGKILL"), ("unlink", "signal=SIGKILL"),
    ("ftruncate", "signal=SIGKILL"), ("openat", "signal=SIGKILL"), ("pwrite64", "error=ENOSPC"),
    ("fdatasync", "error=EIO"),
  ].map { Case(stage: "paidline-ingest", call: $0, fault: $1, run: .first) }

  private static let shops: [String: Result<ShopBeforeRun, any Error>] = [
    "paidline-ingest first": Result { try .make(isFirst: true, stage: "paidline-ingest") },
    "paidline-ingest second": Result { try .make(isFirst: false, stage: "paidline-ingest") },
    "paidline-reconstruct first": Result {
      try .make(isFirst: true, stage: "paidline-reconstruct")
    },
    "paidline-reconstruct second": Result {
      try .make(isFirst: false, stage: "paidline-reconstruct")
    },
  ]

  /// The allowed statuses after a disk error: success, an output that cannot be created, an I/O
  /// error.
  private static let allowed: Set<Int32> = [0, 73, 74]

  @Test(arguments: ingest + reconstruct + build + creation)
  func `a stage that is killed or fails at any call leaves old facts or new`(_ one: Case) throws {
    let prepared = try #require(Self.shops["\(one.stage) \(one.run.rawValue)"]).get()
    let isEvery = ProcessInfo.processInfo.environment["PAIDLINE_EVERY_POINT"] == "1"
    var number = 1
    var points = 0
    var newFacts = 0
    while true {
      let shop = try ShopBeforeRun.copy(of: prepared.shop)
      let (status, isFired) = try strace(one, number, in: shop)
      let what = "\(one.testDescription), call \(number), status \(status)"
      guard isFired else {
        #expect(status == 0, "\(what): without a fault the stage must succeed")
        break
      }
      points += 1
      if !one.fault.contains("SIGKILL") { #expect(Self.allowed.contains(status), "\(what)") }
      if status == 0, one.stage == "paidline-reconstruct" {
        #expect(
          try ShopBeforeRun.facts(of: shop) == prepared.new, "\(what): success without the facts")
      }
      if shop.folder.has("out/warehouse.db"),
        try ShopBeforeRun.facts(of: shop).contentHash == prepared.new.contentHash
      {
        newFacts += 1
      }
      try prepared.check(shop, after: what)
      number = isEvery ? number + 1 : max(number + 1, number * 4 / 3)
    }
    #expect(points > 0, "nothing was injected: \(one.testDescription)")
    LongRun.report("\(one.testDescription): \(points) points, \(newFacts) of them after the commit")
  }

  /// Runs a stage under strace.
  private func strace(_ one: Case, _ number: Int, in shop: Shop) throws -> (Int32, Bool) {
    var arguments = ["-f", "-qq", "-o", "trace", "-e", "trace=\(one.call)"]
    arguments += ["-e", "inject=\(one.call):\(one.fault):when=\(number)"]
    if !one.fault.contains("SIGKILL") {
      // The dynamic loader reads files too; only calls on the databases may fail.
      for file in ["var/state.db", "out/warehouse.db", "out/warehouse.db.building", "out"] {
        for suffix in ["", "-wal", "-journal"] {
          arguments += ["-P", shop.folder.path(file + suffix)]
        }
      }
    }
    arguments += [
      Shop.executables.appendingPathComponent(one.stage).path, shop.folder.path("pipeline.yaml"),
    ]
    if one.stage == "paidline-ingest" { arguments += ["--jobs", "1"] }
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/strace")
    process.arguments = arguments
    process.currentDirectoryURL = URL(fileURLWithPath: shop.folder.path)
    process.environment = ["PATH": "/usr/bin:/bin"]
    process.standardOutput = FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    try process.run()
    process.waitUntilExit()
    let trace = try String(contentsOfFile: shop.folder.path("trace"), encoding: .utf8)
    try FileManager.default.removeItem(atPath: shop.folder.path("trace"))
    let isFired = trace.contains("(INJECTED)") || trace.contains("+++ killed by SIGKILL")
    return (process.terminationReason == .exit ? process.terminationStatus : -1, isFired)
  }
}

/// Calls that a signal interrupts are repeated.
@Suite(.enabled("strace is not installed") { LongRun.has("strace") })
struct InterruptedCallTests {
  @Test(arguments: ["openat", "read", "pread64", "fsync"])
  func `every second call ends with EINTR, and the facts are whole`(_ call: String) throws {
    let shop = try Shop(more: "report: out/report.html")
    try shop.folder.write("in/a.ndjson", Export.purchase(1001, day: "2021-01-05"))
    #expect(try shop.run("paidline", "run").status == 0)
    try shop.folder.write("in/b.ndjson", Export.purchase(1002, day: "2021-01-06"))
    var arguments = ["-f", "-qq", "-o", "trace", "-e", "trace=\(call)"]
    arguments += ["-e", "inject=\(call):error=EINTR:when=1+2"]
    for path in [
      "var/state.db", "var/state.db-wal", "out/warehouse.db", "out/warehouse.db-wal", "out",
      "in/b.ndjson", "out/report.html",
    ] {
      arguments += ["-P", shop.folder.path(path)]
    }
    arguments += [Shop.executables.appendingPathComponent("paidline").path, "run", "--jobs", "1"]
    let ending = try shop.run("/usr/bin/strace", arguments: arguments)
    #expect(ending.status == 0, "\(ending)")
    let trace = String(decoding: try shop.folder.bytes("trace"), as: UTF8.self)
    #expect(trace.contains("EINTR (Interrupted system call) (INJECTED)"))
    #expect(try shop.rows("SELECT count(1) FROM fct_revenue") == ["2"])
  }
}
