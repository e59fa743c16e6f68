internal import CivilTime
internal import Diagnostics
internal import ExportReading
internal import Logging
internal import Pipeline
internal import StateStore
internal import TemporaryFiles

/// The exports of the answers of one service.
///
/// Each answer is stored first. An export is written with all stored answers: when they are many,
/// and at the end of a run. It becomes visible when it is complete, and the answers are deleted
/// afterwards. If a run is killed, the next run writes its export again, with the same content.
final class AnswerExports {
  /// An export that is complete.
  struct Account: Hashable {
    var path: String
    var records: Int
  }

  /// The length of stored lines above which an export is written, in bytes.
  private static let bytesMax = 128 << 20

  private let store: AskedDatabase
  private let service: AskedKey.Service
  private let output: ExportPath
  private var waitingBytes: Int
  /// The exports that this run has written.
  private(set) var written: [Account] = []

  /// Finishes the export that a killed run began, if any.
  init(
    _ store: AskedDatabase, _ service: AskedKey.Service, output: ExportPath, log: Logger
  ) throws(RunFailure) {
    self.store = store
    self.service = service
    self.output = output
    waitingBytes = 0
    if let (number, path) = try store.unfinishedExport(service) {
      try write(number, to: path)
      log.notice(
        "finished the export of a run that was stopped: \(OneLine.text(path))",
        metadata: ["file": "\(path)"])
    }
    waitingBytes = try store.waiting(service).bytes
  }

  /// Stores an answer, with the states of the questions that it settles.
  func add(
    _ line: [UInt8], to key: AskedKey, at time: Instant,
    noting questions: [AskedKey: AskedQuestion] = [:]
  ) throws(RunFailure) {
    try store.store(answer: line, to: key, at: time, noting: questions)
    waitingBytes += line.count
    if waitingBytes > Self.bytesMax { try write() }
  }

  /// Writes all stored answers to a new export, if there are any.
  func write() throws(RunFailure) {
    let records = try store.waiting(service).answers
    guard records > 0 else { return }
    let day = SystemClock.now.day
    var number = try store.nextExportNumber(service)
    // A file at this path was written with another database that no longer exists.
    while PathStatus.exists(output.path(number: number, day: day)) { number += 1 }
    let path = output.path(number: number, day: day)
    // Once an export is begun, every later run must be able to finish it at this path.
    try OutputFolder.create(FilePaths.folder(of: path))
    try store.beginExport(service, number, path: path)
    try write(number, to: path)
    written.append(Account(path: path, records: records))
  }

  private func write(_ number: Int, to path: String) throws(RunFailure) {
    try OutputFolder.create(FilePaths.folder(of: path))
    var deflater = try GzipDeflater()
    let file = try NewFile(path, .export)
    try store.forEachAnswer(service) { line throws(RunFailure) in
      try file.write(deflater.append(line))
    }
    try file.write(deflater.finish())
    try file.publish()
    try store.finishExport(service, number)
    waitingBytes = 0
  }
}
