internal import ArgumentParser
internal import Foundation
internal import SampleStore

/// The folder into which a synthetic store is written.
struct SampleFolder: Sendable {
  /// The path; created if it does not exist.
  let path: String
  /// Whether `pipeline.yaml` is written too.
  let hasPipeline: Bool

  /// Writes the exports, two at a time, after the other files of the store.
  ///
  /// Ends the process with status 73 if a file cannot be written.
  func write(_ store: any SyntheticStore) async throws {
    do {
      try await writeFiles(store)
    } catch let error as CocoaError {
      let message = "paidline-sample: cannot write to \(path): \(error.localizedDescription)\n"
      FileHandle.standardError.write(Data(message.utf8))
      throw ExitCode(73)  // EX_CANTCREAT
    }
  }

  private func writeFiles(_ store: any SyntheticStore) async throws {
    for file in store.accompanyingFiles() where hasPipeline || file.name != "pipeline.yaml" {
      try write(file)
    }
    try await withThrowingTaskGroup(of: Void.self) { group in
      for number in 0..<store.exportCount {
        if number >= 2 { try await group.next() }
        group.addTask { @concurrent in try write(try store.export(number)) }
      }
      try await group.waitForAll()
    }
  }

  private func write(_ file: SampleFile) throws {
    let place = URL(fileURLWithPath: "\(path)/\(file.name)")
    try FileManager.default.createDirectory(
      at: place.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data(file.bytes).write(to: place)
  }
}
