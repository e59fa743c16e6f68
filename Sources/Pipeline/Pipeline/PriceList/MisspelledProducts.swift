internal import Diagnostics
internal import PurchaseModel

/// Finds products in the catalogue with a probably misspelled id.
///
/// A misspelled product has neither purchases nor reports. Its id is similar to the id of a bought
/// product that is missing in the catalogue.
enum MisspelledProducts {
  /// Returns a sentence for each misspelled product, sorted by id.
  static func hints(
    catalogue: Catalogue, bought: Set<ProductID>, reported: Set<ProductID>, symbols: SymbolTable
  ) -> [String] {
    guard !catalogue.products.isEmpty else { return [] }
    let unsold = catalogue.products.keys.filter { !bought.contains($0) }
    let missing = bought.filter { catalogue.products[$0] == nil }
    guard !unsold.isEmpty, !missing.isEmpty else { return [] }
    let candidates = missing.map { symbols.text($0.symbol) }.sorted()
    return unsold.filter { !reported.contains($0) }.map { symbols.text($0.symbol) }.sorted()
      .compactMap { listed in
        NearestWord.suggestion(for: listed, among: candidates).map {
          """
          the catalogue lists \(OneLine.text(listed)), which has no purchase, but lacks \
          \(OneLine.text($0)), which has purchases; if they are the same product, correct the id \
          in the catalogue
          """
        }
      }
  }
}
