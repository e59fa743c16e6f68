internal import ArgumentParser
internal import Foundation

/// Measures a lower bound for the time of a run over a store.
///
/// Every run must at least inflate the exports and insert the rows of the finished warehouse.
struct FloorCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "floor",
    abstract: "Times inflating a store's exports and inserting the rows of its finished warehouse.",
    discussion: """
      The floor of a run is the sum of two times: inflating every export with zlib on all cores, \
      and inserting every row of the warehouse into the same tables, in key order, with prepared \
      statements, without a journal and with the CHECKs off, and then making the same indexes. \
      Reading the rows is not timed. Prints one JSON object; times are microseconds.

      EXAMPLE
        paidline-bench floor store
      """)

  @Argument(help: "The folder that paidline-sample wrote.")
  var folder: String
  @Option(help: "The finished warehouse; otherwise var/warehouse.db of the folder.")
  var warehouse: String?
  @Option(help: "Where the copy is written; otherwise beside the warehouse.")
  var copy: String?
  @Flag(help: "Leave the copy there.") var keepCopy = false
  @Option(help: "How many files are inflated at once.")
  var jobs = ProcessInfo.processInfo.activeProcessorCount

  func validate() throws {
    guard jobs > 0 else { throw ValidationError("--jobs must be 1 or more") }
  }

  func run() throws {
    let warehouse = warehouse ?? "\(folder)/var/warehouse.db"
    let copy = copy ?? "\(warehouse).floor"
    guard FileManager.default.fileExists(atPath: warehouse) else {
      throw BenchFailure("\(warehouse) does not exist: run the store's pipeline first")
    }
    let inflate = try InflateLowerBound(folder: folder, jobs: jobs)
    try? FileManager.default.removeItem(atPath: copy)
    defer { if !keepCopy { try? FileManager.default.removeItem(atPath: copy) } }
    let insert = try InsertLowerBound(warehouse: warehouse, copy: copy)
    print(
      """
      {"inflate_us": \(inflate.used.wall), "inflate_user_us": \(inflate.used.user), \
      "insert_us": \(insert.used.wall), "insert_user_us": \(insert.used.user), \
      "files": \(inflate.files), "gzip_bytes": \(inflate.gzipBytes), \
      "text_bytes": \(inflate.textBytes), "rows": \(insert.rows)}
      """)
  }
}
