internal import Foundation

/// One run of the executable `paidline`, with its time and memory use.
struct MeasuredRun {
  /// The time in milliseconds and the peak memory in KiB of each stage, from the log.
  private var stages: [(name: String, milliseconds: Int, peakKiB: Int)] = []
  private var milliseconds = 0
  private var textBytes = 0
  private var records = 0

  /// Runs a pipeline with the `paidline` in the folder of this program.
  init(pipeline: String, jobs: Int?) throws {
    let own = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
    let process = Process()
    process.executableURL = own.deletingLastPathComponent().appendingPathComponent("paidline")
    process.arguments = ["run", pipeline, "--log-format", "json", "--log-level", "info"]
    if let jobs { process.arguments? += ["--jobs", String(jobs)] }
    let errors = Pipe()
    process.standardError = errors
    let start = Date()
    try process.run()
    let log = errors.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    milliseconds = Int(Date().timeIntervalSince(start) * 1000)
    let lines = String(decoding: log, as: UTF8.self)
    guard process.terminationStatus == 0 else {
      throw BenchFailure("the run ended with \(process.terminationStatus):\n\(lines)")
    }
    for line in lines.split(separator: "\n") { note(line) }
  }

  private mutating func note(_ line: Substring) {
    guard let value = try? JSONSerialization.jsonObject(with: Data(line.utf8)),
      let entry = value as? [String: Any], let message = entry["message"] as? String
    else { return }
    switch entry["event"] as? String {
    case "files_read":
      textBytes = entry["json_bytes"] as? Int ?? 0
      records = entry["records"] as? Int ?? 0
    case "stage_ended":
      let name = String(message.prefix { $0 != " " })
      stages.append(
        (name, entry["milliseconds"] as? Int ?? 0, entry["peak_kib"] as? Int ?? 0))
    default: break
    }
  }

  /// The measured values, one per line.
  var text: String {
    let perSecond = milliseconds > 0 ? textBytes / 1000 / milliseconds : 0
    var lines = [
      "run     \(milliseconds) ms, \(textBytes / 1_000_000) MB of JSON, \(records) records, "
        + "\(perSecond) MB of JSON per second"
    ]
    for stage in stages {
      lines.append(
        "        \(stage.name): \(stage.milliseconds) ms, peak memory \(stage.peakKiB / 1024) MiB")
    }
    return lines.joined(separator: "\n")
  }
}
