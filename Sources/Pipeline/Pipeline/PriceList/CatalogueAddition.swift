package import Diagnostics

/// Adds a line to the owner's catalogue; comments and all other lines stay as they are.
package enum CatalogueAddition {
  /// Returns the path of the pipeline's last catalogue file that the owner wrote.
  ///
  /// - Throws: ``RunFailure`` with status 78 if the pipeline has no such file.
  package static func path(_ definition: PipelineDefinition) throws(RunFailure) -> String {
    let fetched = definition.fetching?.prices?.output
    if let path = definition.cataloguePaths.last(where: { $0 != fetched }) { return path }
    let list =
      (definition.cataloguePaths.first.map { FilePaths.name(of: $0) })
      .map { "[\($0), catalog.yaml]" } ?? "catalog.yaml"
    throw RunFailure(
      .badConfiguration,
      """
      \(OneLine.text(definition.path)): expected a catalogue for your own lines; write below \
      inputs: and run the command again:
        catalog: \(list)
      """)
  }

  /// Adds a line to a catalogue file; creates the file if it is missing.
  ///
  /// - Returns: The path and the number of the new line.
  /// - Throws: ``RunFailure`` with status 78 if the line is not valid, if the catalogue has it
  ///   already, or if the file is written in a form that cannot be continued. Then the file is
  ///   unchanged.
  package static func add(_ line: CatalogueLine, to path: String) throws(RunFailure)
    -> CatalogueText.Place
  {
    let text =
      PathStatus.exists(path)
      ? try TextFile.read(path, what: "the catalogue", limit: 64 << 20) : ""
    let hasContent = CorrectionsFile.hasContent(text)
    let known = hasContent ? try CatalogueText.read(path: path, text: text) : CatalogueText()
    guard known.askedOn == nil else {
      throw RunFailure(
        .badConfiguration,
        "\(OneLine.text(path)): the next fetch replaces this file; name a catalogue of your own "
          + "after it under inputs.catalog of the pipeline")
    }
    let single = try CatalogueText.read(
      path: "the new line", text: "products:\n" + line.block.map { "  \($0)\n" }.joined())
    var refused: RunFailure?
    for (longer, number) in CatalogueLayout(text, known).continuations(by: line) {
      do throws(RunFailure) {
        let found = try CatalogueText.read(path: path, text: longer)
        guard isSum(found, of: known, and: single) else { continue }
        _ = try TextFile.write(longer, to: path, mode: mode(of: path))
        return CatalogueText.Place(file: path, line: number)
      } catch {
        // The other forms fail for the same reason, such as a line that the catalogue already has.
        if refused == nil { refused = error }
      }
    }
    throw refused
      ?? RunFailure(
        .badConfiguration,
        "\(OneLine.text(path)): the line cannot be added in the form of this file; write it below "
          + "products: yourself:\n" + line.block.map { "  \($0)" }.joined(separator: "\n"))
  }

  /// The permissions that a catalogue keeps; `nil` for a new file.
  private static func mode(of path: String) -> UInt32? {
    (try? PathStatus(at: path)).map { UInt32($0.permissions) }
  }

  /// Whether a catalogue has the entries of two others, and no more.
  private static func isSum(
    _ sum: CatalogueText, of known: CatalogueText, and single: CatalogueText
  ) -> Bool {
    guard let new = single.products.first else { return false }
    var expected = known
    if let index = known.products.firstIndex(where: { ProductKey($0) == ProductKey(new) }) {
      expected.products[index].prices += new.prices
      expected.products[index].priceChanges += new.priceChanges
      expected.products[index].offers += new.offers
    } else {
      expected.products.append(new)
    }
    return sum.identity == expected.identity
  }
}
