internal import Foundation
internal import TestSupport
internal import Testing

/// Facts depend neither on the clock, nor on the time zone, nor on the language.
@Suite(.enabled("make test-slow asks for the long tests") { LongRun.isAsked })
struct ClockTests {
  private func run(_ shop: Shop, _ environment: [String: String], _ program: [String]) throws
    -> Int32
  {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: program[0])
    process.arguments = Array(program.dropFirst())
    process.currentDirectoryURL = URL(fileURLWithPath: shop.folder.path)
    process.environment = ["PATH": "/usr/bin:/bin"].merging(environment) { $1 }
    process.standardOutput = FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    try process.run()
    process.waitUntilExit()
    return process.terminationStatus
  }

  private var paidline: [String] {
    [Shop.executables.appendingPathComponent("paidline").path, "run", "pipeline.yaml"]
  }

  @Test(
    .enabled("faketime is not installed") { LongRun.has("faketime") },
    arguments: [
      "1969-12-30 12:00:00", "1999-12-31 23:59:58", "2030-02-28 12:00:00",
      "2040-01-19 03:14:08",  // beyond 2^31 seconds
      "2021-03-28 00:59:59 x3600",  // an hour a second, over a change of clocks
    ])
  func `a wrong clock gives the same facts`(time: String) throws {
    let prepared = try ShopBeforeRun.make(isFirst: true, stage: "paidline-ingest")
    let shop = try ShopBeforeRun.copy(of: prepared.shop)
    let stamp = time.contains("x") ? ["-f", "@" + time] : [time]
    #expect(try run(shop, [:], ["/usr/bin/faketime"] + stamp + paidline) == 0)
    #expect(try ShopBeforeRun.facts(of: shop) == prepared.new)
    // Then at the right time again, with the other time in the ledger.
    try prepared.check(shop, after: "faketime \(time)")
    LongRun.report("clock at \(time): the same facts")
  }

  @Test(arguments: [
    ["TZ": "Europe/Berlin"], ["TZ": "America/Sao_Paulo"], ["TZ": "Asia/Kathmandu"],
    ["TZ": "Pacific/Kiritimati"], ["LANG": "tr_TR.UTF-8", "LC_ALL": "tr_TR.UTF-8"],
    ["LANG": "de_DE.UTF-8", "LC_ALL": "de_DE.UTF-8"], [:],
  ])
  func `any zone and language give the same facts`(environment: [String: String]) throws {
    let prepared = try ShopBeforeRun.make(isFirst: true, stage: "paidline-ingest")
    let shop = try ShopBeforeRun.copy(of: prepared.shop)
    #expect(try run(shop, environment, paidline) == 0)
    #expect(try ShopBeforeRun.facts(of: shop) == prepared.new)
  }
}
