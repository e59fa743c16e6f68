package import SharedTables
internal import Diagnostics
internal import PurchaseModel

/// The files on disk that match the patterns of a pipeline.
///
/// `paidline status` lists a refused or held file only while it is one of these files. A file that
/// was removed or renamed is not listed.
package struct PresentInputs {
  private let definition: PipelineDefinition
  private var paths: [String] = []
  /// Whether the folders of all patterns can be read.
  private var isComplete = true

  /// Finds the files of a pipeline.
  package init(_ definition: PipelineDefinition) {
    self.definition = definition
    for kind in InputFile.Kind.allCases {
      for pattern in definition.patterns(of: kind) {
        do throws(RunFailure) {
          paths += try FoundInputs.find([pattern], kind: kind).files.map(\.path)
        } catch {
          if error.status != .inputMissing { isComplete = false }
        }
      }
    }
  }

  /// Returns true if a stored file is still an input of the pipeline.
  ///
  /// If a folder cannot be read, every stored file whose name matches a pattern is included.
  package func include(_ file: StoredFile) -> Bool {
    guard definition.patterns(of: file.kind).contains(where: { $0.holds(file.name) }) else {
      return false
    }
    return !isComplete || paths.contains { SupersededFiles.isSamePlace($0, file.name) }
  }
}
