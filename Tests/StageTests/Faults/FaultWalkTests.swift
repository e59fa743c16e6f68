internal import Diagnostics
internal import Foundation
internal import GRDB
internal import TestSupport
internal import Testing

/// At every commit boundary a writing command may be killed, or may fail.
///
/// A trial run lists the boundaries that a command and its stages pass. Then, for each boundary,
/// the command is killed there or fails there. `make test` tries each name of a boundary once,
/// `make test-slow` every boundary of every command.
@Suite(.enabled("only debug builds can be told to fail") { Failpoints.areBuiltIn })
struct FaultWalkTests {
  private enum Action: String, CaseIterable {
    /// The process is killed, as by a power failure.
    case kill
    /// An I/O error is thrown.
    case fail
  }

  /// A scenario without a fault: the boundaries that it passes, and the facts before and after.
  private struct Trial: Sendable {
    var scenario: FaultScenario
    var passed: [String]
    /// Boundaries with a name that no earlier scenario has.
    var fresh: Set<Int>
    var old: String?
    var new: String?
  }

  private static let trials: Result<[Trial], any Error> = Result {
    var seen: Set<String> = []
    return try FaultScenario.all.get().map { scenario in
      let shop = try ShopBeforeRun.copy(of: scenario.shop)
      let old = try Folder(shop).contentHash()
      let ending = try Failpoints.run(scenario.command, in: shop, "none:0")
      try #require(ending.status == 0, "\(scenario.name): \(ending.errors)")
      let passed = try Failpoints.passed(in: shop)
      for command in scenario.remedy.dropFirst() {
        try #require(try shop.run(command[0], arguments: Array(command.dropFirst())).status == 0)
      }
      let fresh = passed.indices.filter { seen.insert(passed[$0]).inserted }
      return Trial(
        scenario: scenario, passed: passed, fresh: Set(fresh), old: old,
        new: try Folder(shop).contentHash())
    }
  }

  @Test func `every boundary that the program has is passed by a scenario`() throws {
    let passed = Set(
      try Self.trials.get().flatMap(\.passed).map { name in
        name.split(separator: ".").dropFirst().joined(separator: ".")
      })
    let all = CommitBoundary.allCases.flatMap { boundary in
      CommitBoundary.Side.allCases.map { "\(boundary.rawValue).\($0.rawValue)" }
    }
    #expect(Set(all).subtracting(passed).sorted() == [])
  }

  @Test(arguments: LongTests.some(of: Array(0..<12), oneIn: 6))
  func `a command that ends at any boundary leaves old facts or new, and the next one goes on`(
    _ number: Int
  ) throws {
    let trials = try Self.trials.get()
    try #require(trials.count == 12, "a scenario more needs a number more")
    let trial = trials[number]
    var points = 0
    for index in trial.passed.indices where LongRun.isAsked || trial.fresh.contains(index) {
      for action in Action.allCases where LongRun.isAsked || action == .kill {
        try attempt(action, at: index, of: trial)
        points += 1
      }
    }
    if LongRun.isAsked {
      LongRun.report("\(trial.scenario.name): \(points) commit boundaries killed or failed")
    }
  }

  private func attempt(_ action: Action, at index: Int, of trial: Trial) throws {
    let scenario = trial.scenario
    let shop = try ShopBeforeRun.copy(of: scenario.shop)
    let what = "\(scenario.name): \(action) at \(index + 1), \(trial.passed[index])"
    let ending = try Failpoints.run(scenario.command, in: shop, "\(action):\(index + 1)")
    let passed = try Failpoints.passed(in: shop)
    #expect(passed.prefix(index + 1) == trial.passed.prefix(index + 1), "\(what): another way")
    if action == .kill { #expect(passed.count <= index + 1, "\(what): it went on") }
    #expect(ending.status != 0 || isHarmless(trial.passed[index]), "\(what): \(ending.errors)")

    let folder = Folder(shop)
    try folder.checkIntegrity(what)
    let hash = try folder.contentHash()
    #expect(hash == trial.old || hash == trial.new, "\(what): torn")
    try checkStatus(of: shop, after: action, trial, passed, what)

    for command in scenario.remedy {
      let ending = try shop.run(command[0], arguments: Array(command.dropFirst()))
      #expect(ending.status == 0, "\(what), then \(command): \(ending.errors)")
    }
    try folder.checkIntegrity("\(what), then all")
    #expect(try folder.contentHash() == trial.new, "\(what): other facts in the end")
    #expect(try folder.litter() == [], "\(what)")
    if let canary = scenario.canary {
      #expect(try folder.holding(canary) == [], "\(what): a trace is left")
    }
  }

  /// Whether a fault at a boundary only causes a warning.
  ///
  /// Pages and metrics are written after the facts are published, so a fault there is a warning.
  private func isHarmless(_ boundary: String) -> Bool { boundary.hasPrefix("page.") }

  /// Compares the message of `paidline status` with the boundaries passed.
  private func checkStatus(
    of shop: Shop, after action: Action, _ trial: Trial, _ passed: [String], _ what: String
  ) throws {
    let status = try shop.run(arguments: ["status", "pipeline.yaml", "--json"])
    func checkUnread() {
      #expect(trial.scenario.unread.contains(status.status), "\(what): \(status.errors)")
      #expect(status.errors.contains("Run the pipeline"), "\(what): \(status.errors)")
      #expect(!passed.dropLast().contains("state.schema_written.after"), "\(what)")
    }
    guard !status.output.isEmpty else { return checkUnread() }
    let object = try #require(
      try JSONSerialization.jsonObject(with: Data(status.output.utf8)) as? [String: Any], "\(what)")
    #expect(object["exit_status"] as? Int == Int(status.status), "\(what)")
    // Without a state.db the response has only the first line.
    guard object["runs"] != nil else { return checkUnread() }
    #expect((object["facts"] is NSNull) == !shop.folder.has("out/warehouse.db"), "\(what)")
    let runs = try #require(object["runs"] as? [[String: Any]])
    let states = runs.compactMap { $0["status"] as? String }
    #expect(!states.contains("running"), "\(what): nothing runs")
    #expect(
      (object["last_success_at"] is NSNull) == !states.contains("succeeded"), "\(what): \(states)")
    guard action == .kill else { return }
    let begun = passed.last { $0.hasPrefix("state.run_begun") || $0.hasPrefix("state.run_ended") }
    switch begun {
    case "state.run_begun.after", "state.run_ended.before":
      #expect(states.first == "killed", "\(what): \(states)")
    case "state.run_ended.after": #expect(states.first == "succeeded", "\(what): \(states)")
    default: break
    }
  }
}

/// Runs commands with a failpoint: a boundary at which the process is killed or fails.
enum Failpoints {
  /// Whether this build has failpoints.
  static var areBuiltIn: Bool {
    #if DEBUG
      true
    #else
      false
    #endif
  }

  private static let trace = "trace"

  /// Runs a program with a fault such as `kill:3`.
  static func run(_ command: [String], in shop: Shop, _ fault: String) throws -> Ending {
    try shop.run(
      command[0], arguments: Array(command.dropFirst()),
      environment: ["PAIDLINE_FAILPOINT": "\(fault):\(shop.folder.path(trace))"])
  }

  /// The boundaries that were passed, in order.
  static func passed(in shop: Shop) throws -> [String] {
    guard shop.folder.has(trace) else { return [] }
    return try String(contentsOfFile: shop.folder.path(trace), encoding: .utf8)
      .split(separator: "\n").map(String.init)
  }
}

/// The content of a shop's folder, read without changing it.
private struct Folder {
  let shop: Shop

  init(_ shop: Shop) { self.shop = shop }

  /// The hash of the published facts; `nil` if nothing is published.
  func contentHash() throws -> String? {
    shop.folder.has("out/warehouse.db") ? try shop.contentHash() : nil
  }

  /// Checks copies of the databases, so that opening them rolls back a killed transaction only in
  /// the copies.
  func checkIntegrity(_ what: String) throws {
    for path in ["var/state.db", "var/validation.db", "out/warehouse.db"]
    where shop.folder.has(path) {
      let copy = try TemporaryFolder()
      for suffix in ["", "-wal", "-journal"] where shop.folder.has(path + suffix) {
        try copy.write("copy.db" + suffix, bytes: try shop.folder.bytes(path + suffix))
      }
      let queue = try DatabaseQueue(path: copy.path("copy.db"))
      let (whole, dangling) = try queue.read { db in
        (
          try String.fetchAll(db, sql: "PRAGMA integrity_check"),
          try Row.fetchAll(db, sql: "PRAGMA foreign_key_check").count
        )
      }
      try queue.close()
      #expect(whole == ["ok"] && dangling == 0, "\(what): \(path)")
    }
  }

  /// Temporary and unfinished files that were left behind.
  func litter() throws -> [String] {
    try ["var", "out", "in", "tables"].filter(shop.folder.has).flatMap { place in
      try shop.folder.names(place).map { "\(place)/\($0)" }.filter { name in
        [".draft", ".part", ".building", "-journal", ".scratch"].contains { name.contains($0) }
      }
    }
  }

  /// The files of the program that contain a text.
  func holding(_ text: String) throws -> [String] {
    try ["var", "out", "in"].filter(shop.folder.has).flatMap { place in
      try shop.folder.names(place).map { "\(place)/\($0)" }.filter { name in
        if place == "in", !name.hasSuffix(".gz") { return false }  // Not the program's.
        let bytes = try shop.folder.bytes(name)
        let isPacked = name.hasSuffix(".gz")
        return Data(isPacked ? gunzip(bytes) : bytes).range(of: Data(text.utf8)) != nil
      }
    }
  }
}
