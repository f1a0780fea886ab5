#include "jounce/expr/parser.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "jounce/base/suggest.hpp"
#include "jounce/expr/names.hpp"
#include "jounce/expr/syntax_tree.hpp"
#include "jounce/expr/tokens.hpp"

namespace jounce {
namespace {

constexpr int kMaxNesting = 256;
constexpr std::size_t kMaxProblems = 20;  // of one text: beyond that it is no expression
constexpr const char* kProductHint = "a product is written with '*'";

// Recursive descent. Only parentheses recurse, at most kMaxNesting deep; chains of signs and of powers are loops.
class Parser {
 public:
  Parser(std::string_view text, const Scope& scope, std::span<const std::string> elsewhere)
      : tokens_(text), scope_(scope), elsewhere_(elsewhere), used_(scope.variables.size(), false) {}

  Result<Program> parse(std::string_view text) {
    const NodeId root = sum();
    if (!stopped_ && tokens_.current().kind != Token::Kind::end) expected("an operator or the end");
    if (any_error(problems_)) return sort_by_place(problems_), std::move(problems_);
    Program program;
    program.text = text;
    program.variables = scope_.variables;
    program.used = std::move(used_);
    tree_.compile(root, program);
    return {std::move(program), std::move(problems_)};
  }

 private:
  // sum = product { (+|-) product }
  NodeId sum() {
    NodeId left = product();
    while (!stopped_ && (now().is('+') || now().is('-'))) {
      const Token sign = take();
      left = operation(sign.is('+') ? Op::add : Op::subtract, {left, product()}, sign.column);
    }
    return left;
  }

  // product = signed { (*|/) signed }
  NodeId product() {
    NodeId left = signed_power();
    while (!stopped_ && (now().is('*') || now().is('/'))) {
      const Token sign = take();
      left = operation(sign.is('*') ? Op::multiply : Op::divide, {left, signed_power()}, sign.column);
    }
    return left;
  }

  // signed = { +|- } power,   power = primary [ ^ signed ]
  // The whole chain -a^-b^c is read first, then put together from its right end.
  NodeId signed_power() {
    struct Link {
      int minus;  // column of the sign before it, 0 without one
      NodeId primary;
      int caret;  // column of the ^ after it
    };
    std::vector<Link> chain;
    do {
      const int minus = signs();
      const NodeId base = primary();
      if (stopped_) return base;
      chain.push_back({minus, base, now().column});
    } while (now().is('^') && (take(), true));

    NodeId right = chain.back().primary;
    if (chain.back().minus > 0) right = operation(Op::negate, {right}, chain.back().minus);
    for (std::size_t k = chain.size() - 1; k-- > 0;) {
      right = operation(Op::power, {chain[k].primary, right}, chain[k].caret);
      if (chain[k].minus > 0) right = operation(Op::negate, {right}, chain[k].minus);
    }
    return right;
  }

  // The column of the first minus when there is an odd number of them, else 0.
  int signs() {
    int first = 0;
    bool negative = false;
    for (; now().is('+') || now().is('-'); take()) {
      if (!now().is('-')) continue;
      if (first == 0) first = now().column;
      negative = !negative;
    }
    return negative ? first : 0;
  }

  NodeId primary() {
    const Token token = now();
    if (token.kind == Token::Kind::number) return take(), tree_.constant(token.number);
    if (token.kind == Token::Kind::name) return take(), now().is('(') ? call(token) : name(token);
    if (!token.is('(')) return expected("a number, a name or '('");
    if (!enter()) return nothing();
    const NodeId inside = sum();
    leave("an operator or ')'");
    return inside;
  }

  NodeId name(const Token& token) {
    const std::string_view text = token.text;
    for (std::size_t k = 0; k < scope_.variables.size(); ++k)
      if (scope_.variables[k] == text) {
        if (!used_[k] && scope_.values.contains(text))
          problems_.push_back(warning({1, token.column}, fmt::format("'{}' means the variable here, not the parameter", text)));
        used_[k] = true;
        return tree_.variable(k);
      }
    if (const Constant* constant = find_constant(text)) return tree_.constant(constant->value);
    if (find_function(text) != nullptr)
      return fail(token, fmt::format("'{}' is a function: expected '(' after it, found {}", text, called(now())));
    if (const auto value = scope_.values.find(text); value != scope_.values.end()) return tree_.constant(value->second);
    if (text == "t") return fail(token, "'t' cannot be used in a constant");
    std::vector<std::string> known = scope_.variables;
    for (const auto& [key, value] : scope_.values) known.push_back(key);
    known.insert(known.end(), elsewhere_.begin(), elsewhere_.end());
    for (const Constant& constant : all_constants()) known.emplace_back(constant.name);
    return fail(token, fmt::format("unknown name '{}'{}", shortened(text), did_you_mean(text, known)));
  }

  // function ( sum { , sum } ); the longest list is folded as it is read
  NodeId call(const Token& token) {
    const Function* function = find_function(token.text);
    if (function == nullptr) not_a_function(token);
    if (!enter()) return nothing();
    std::array<NodeId, 3> argument{};
    int count = 0;
    if (!now().is(')')) {
      do {
        const NodeId value = sum();
        if (stopped_) return nothing();
        if (function != nullptr && function->arguments < 0 && count > 0)
          argument[0] = operation(function->op, {argument[0], value}, token.column);
        else if (count < 3)
          argument[static_cast<std::size_t>(count)] = value;
        ++count;
      } while (now().is(',') && (take(), true));
    }
    leave("an operator, ',' or ')'");
    if (stopped_ || function == nullptr) return nothing();
    if (function->arguments < 0) return count >= -function->arguments ? argument[0] : wrong_count(token, *function, count);
    if (count != function->arguments) return wrong_count(token, *function, count);
    if (count == 1) return operation(function->op, {argument[0]}, token.column);
    if (count == 2) return operation(function->op, {argument[0], argument[1]}, token.column);
    return operation(function->op, {argument[0], argument[1], argument[2]}, token.column);
  }

  NodeId wrong_count(const Token& token, const Function& function, int found) {
    const int least = std::abs(function.arguments);
    return fail(token, fmt::format("'{}' takes {}{} argument{}, found {}", token.text, least,
                                   function.arguments < 0 ? " or more" : "", least == 1 ? "" : "s", found));
  }

  void not_a_function(const Token& token) {
    const std::string_view text = token.text;
    if (std::ranges::find(scope_.variables, text) != scope_.variables.end() || scope_.values.contains(text) ||
        find_constant(text)) {
      fail(token, fmt::format("'{}' is not a function", shortened(text)), kProductHint);
      return;
    }
    std::vector<std::string> known;
    for (const Function& function : all_functions()) known.emplace_back(function.name);
    fail(token, fmt::format("unknown function '{}'{}", shortened(text), did_you_mean(text, known)));
  }

  static std::string did_you_mean(std::string_view word, std::span<const std::string> known) {
    const auto nearest = nearest_name(word, known);
    return nearest ? fmt::format(" (did you mean '{}'?)", *nearest) : "";
  }

  // Past a '(', one level deeper.
  bool enter() {
    const Token open = take();
    if (++nesting_ <= kMaxNesting) return true;
    fail(open, fmt::format("parentheses are nested more than {} deep", kMaxNesting));
    stopped_ = true;
    return false;
  }

  // Past the ')'.
  void leave(const char* wanted) {
    --nesting_;
    if (stopped_) return;
    if (now().is(')'))
      take();
    else
      expected(wanted);
  }

  NodeId operation(Op op, std::initializer_list<NodeId> operands, int column) {
    if (stopped_) return nothing();
    std::optional<ExpressionFault> fault;
    const NodeId node = tree_.operation(op, operands, column, fault);
    if (fault) report({1, fault->column}, std::move(fault->sentence), "");
    return node;
  }

  // A mistake in the grammar: what follows cannot be trusted, so reading stops.
  NodeId expected(const char* wanted) {
    if (stopped_) return nothing();
    const Token& token = now();
    const bool operand_follows = token.kind == Token::Kind::number || token.kind == Token::Kind::name || token.is('(');
    const bool number_and_name =
        token.kind == Token::Kind::wrong && is_digit(token.text.front()) && begins_name(token.text.back());
    const char* hint = operand_follows || number_and_name ? kProductHint : token.is('*') ? "a power is written with '^'" : "";
    if (token.kind == Token::Kind::wrong)
      fail(token, describe_wrong(token), hint);
    else
      fail(token, fmt::format("expected {}, found {}", wanted, called(token)), hint);
    stopped_ = true;
    return nothing();
  }

  NodeId fail(const Token& token, std::string sentence, const char* hint = "") {
    report({1, token.column}, std::move(sentence), hint);
    return nothing();
  }

  void report(Where where, std::string sentence, const char* hint) {
    problems_.push_back(error(where, std::move(sentence), hint));
    if (problems_.size() >= kMaxProblems) stopped_ = true;
  }

  // Stands where a value should be; never compiled, and not a constant, so nothing is folded with it.
  NodeId nothing() { return tree_.variable(0); }

  const Token& now() const { return tokens_.current(); }
  Token take() {
    const Token token = now();
    tokens_.next();
    return token;
  }

  Tokens tokens_;
  const Scope& scope_;
  std::span<const std::string> elsewhere_;
  std::vector<bool> used_;
  SyntaxTree tree_;
  Problems problems_;
  int nesting_ = 0;
  bool stopped_ = false;
};

}  // namespace

Result<Program> parse_program(std::string_view text, const Scope& scope, std::span<const std::string> elsewhere) {
  if (text.size() > Program::kMaxText)
    return error({1, 1}, fmt::format("an expression has at most {} characters, found {}", Program::kMaxText, text.size()));
  return Parser(text, scope, elsewhere).parse(text);
}

}  // namespace jounce
